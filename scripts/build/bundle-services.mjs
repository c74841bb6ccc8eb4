import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

// Bundles what `tsc` has compiled (docs/decisions/0062-services-start-from-bundles.md): every service,
// the migration and the doctor, each into a folder `bundle` beside its program. Those that have not changed since are kept.
const root = path.resolve(import.meta.dirname, '../..');

/** Loads WebAssembly and extensions by paths relative to its own files; or mostly data, megabytes of it in every bundle. */
const OUTSIDE = /^(?:@electric-sql\/|wink-eng-lite-web-model|gpt-tokenizer)/;

const version = hashInputs();
const programs = globSync(['apps/*/dist/main.js', 'libs/storage/dist/cli/migrate.js'], { cwd: root }).toSorted();
for (const program of programs) await bundle(program);

async function bundle(program) {
  const output = path.join(root, path.dirname(program), 'bundle');
  const versionFile = path.join(output, '.version');
  if (existsSync(versionFile) && readFileSync(versionFile, 'utf8') === version) return;
  rmSync(output, { recursive: true, force: true });
  const build = await rolldown({
    input: path.join(root, program),
    cwd: root,
    platform: 'node',
    // The CommonJS variant of a library that has both formats may compute what it requires.
    resolve: { mainFields: ['module', 'main'] },
    // No module of a lib does anything but export: one of which a service uses no export is left out with its imports.
    treeshake: { moduleSideEffects: [{ test: /\/libs\/[^/]+\/dist\//, sideEffects: false }] },
    plugins: [
      { name: 'outside', resolveId: resolveOutside },
      { name: 'modules', load: loadModuleFor(output), transform: dropSourceMap, generateBundle: dropSourceTexts },
    ],
    // Libraries import what may not be installed and continue without: it stays an import. Errors are thrown.
    logLevel: 'silent',
  });
  await build.write({
    dir: output,
    format: 'esm',
    // Errors and modules of NestJS are named after their classes.
    keepNames: true,
    sourcemap: true,
    entryFileNames: path.basename(program),
    paths: (id) => (path.isAbsolute(id) ? path.relative(output, id) : id),
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  writeFileSync(versionFile, version);
}

/** Of this script, the dependencies, and, as tsc records them, all sources. */
function hashInputs() {
  const hash = createHash('sha256');
  const records = globSync('{libs,apps}/*/dist/.tsbuildinfo', { cwd: root }).toSorted();
  for (const file of ['scripts/build/bundle-services.mjs', 'pnpm-lock.yaml', ...records])
    hash.update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

async function resolveOutside(request, importer, options) {
  if (!OUTSIDE.test(request)) return undefined;
  const { id } = await this.resolve(request, importer, { ...options, skipSelf: true });
  return { id, external: 'absolute' };
}

/**
 * A module of Annals with its source map, so that stack traces show its source. What it finds beside itself, or as its
 * package does, it finds from the bundle as well.
 */
function loadModuleFor(output) {
  return (id) => {
    const map = `${id}.map`;
    if (id.includes('node_modules') || !existsSync(map)) return undefined;
    const ownUrl = `new URL(${JSON.stringify(path.relative(output, id))}, import.meta.url).href`;
    return {
      code: readFileSync(id, 'utf8').replaceAll('import.meta.url', ownUrl),
      map: readFileSync(map, 'utf8'),
    };
  };
}

/** Node parses the map of a file as it loads it: positions in dependencies would take 100 MB. */
function dropSourceMap(code, id) {
  return id.includes('node_modules') ? { code, map: { mappings: '' } } : undefined;
}

function dropSourceTexts(_options, files) {
  for (const file of Object.values(files)) {
    if (!file.fileName.endsWith('.map')) continue;
    const { sourcesContent: _texts, ...map } = JSON.parse(file.source);
    file.source = JSON.stringify(map);
  }
}
