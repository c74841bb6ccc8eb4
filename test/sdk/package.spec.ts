import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { publint } from 'publint';
import { installSdk, packSdk, type PackedPackage } from './install-sdk.js';

/** Twice what it is: what adds that much is meant to be noticed. */
const MAX_PACKED_BYTES = 160_000;
const MAX_UNPACKED_BYTES = 1_300_000;
/** Of the code that the client loads, without types. */
const MAX_CODE_BYTES = 120_000;
/** Where the program is, which alone may import modules of Node. */
const PROGRAM = 'dist/cli/';

/** What every runtime has. `fetch` and `setTimeout` belong to the caller of the context. */
const WEB_GLOBALS = {
  fetch,
  Response,
  AbortController,
  URL,
  URLSearchParams,
  TextDecoder,
  crypto,
  setTimeout,
  clearTimeout,
};

describe('the package @annals/sdk', () => {
  let folder: string;
  let packed: PackedPackage;
  let installed: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'annals-sdk-'));
    packed = packSdk(folder);
    installed = installSdk(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const read = (file: string) => readFileSync(path.join(installed, file), 'utf8');
  const sources = (pattern: string) => globSync(pattern, { cwd: installed });

  it('has no dependencies', () => {
    const manifest = JSON.parse(read('package.json')) as Record<string, unknown>;
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
      expect(manifest[kind]).toBeUndefined();
  });

  /** The files that a file of the package imports, and modules of others by their name. */
  const importsOf = (file: string) =>
    [...read(file).matchAll(/(?:from |import |import\(|require\()['"]([^'"]+)['"]|<reference [^>]*/g)].map(
      ([whole, module]) => {
        if (!module?.startsWith('.')) return module ?? whole;
        const target = path.posix.join(path.posix.dirname(file), module);
        return file.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target;
      },
    );
  const client = () => sources('{dist,cjs}/**/*.{js,d.ts}').filter((file) => !file.startsWith(PROGRAM));

  it('imports only its own files, in code and in types', () => {
    const imported = client().flatMap(importsOf);
    expect(imported.length).toBeGreaterThan(100);
    expect(imported.filter((file) => !packed.files.includes(file))).toEqual([]);
  });

  it('keeps the program out of the client, and gives it nothing but Node', () => {
    expect(client().filter((file) => importsOf(file).some((target) => target.startsWith(PROGRAM)))).toEqual([]);
    for (const entry of ['dist/index.js', 'dist/index.d.ts', 'cjs/index.js', 'cjs/index.d.ts']) {
      const reached = new Set([entry]);
      for (const file of reached) for (const target of importsOf(file)) reached.add(target);
      expect(reached.size).toBeGreaterThan(20);
      expect([...reached].filter((file) => file.startsWith(PROGRAM))).toEqual([]);
    }
    const program = sources(`${PROGRAM}**/*`).filter((file) => statSync(path.join(installed, file)).isFile());
    const others = program.flatMap(importsOf).filter((file) => !packed.files.includes(file));
    expect([...new Set(others)].toSorted()).toEqual(['node:fs', 'node:readline']);
  });

  it('contains its build, its README and its license, and nothing else', () => {
    const other = packed.files.filter((file) => !/^(?:dist|cjs)\/.*\.(?:js|d\.ts)$/.test(file));
    expect(other.toSorted()).toEqual(['LICENSE', 'README.md', 'cjs/package.json', 'package.json']);
    expect(packed.files.filter((file) => /spec|fixture/.test(file))).toEqual([]);
    expect(packed.files.filter((file) => file.startsWith(PROGRAM) && file.endsWith('.d.ts'))).toEqual([]);
    expect(packed.files).toContain(`${PROGRAM}main.js`);
  });

  it('is small', () => {
    expect(packed.bytes).toBeLessThan(MAX_PACKED_BYTES);
    expect(packed.unpackedBytes).toBeLessThan(MAX_UNPACKED_BYTES);
    const loaded = sources('dist/**/*.js').filter((file) => !file.startsWith(PROGRAM));
    const code = loaded.reduce((bytes, file) => bytes + Buffer.byteLength(read(file)), 0);
    expect(code).toBeLessThan(MAX_CODE_BYTES);
  });

  it('gives imports and requires code and types of their own kind', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(readFileSync(packed.tarball)));
    expect(analysis).toMatchObject({ types: { kind: 'included' } });
    expect('problems' in analysis && analysis.problems).toEqual([]);
    const { messages } = await publint({ pkgDir: installed, level: 'suggestion', strict: true, pack: false });
    expect(messages).toEqual([]);
  });

  it('runs where there are only web standards', async () => {
    const server = createServer((_request, response) => response.end('{ "status": "ok" }')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { Annals } = requireInContext(path.join(installed, 'cjs/index.js')) as typeof import('@annals/sdk');
      const { port } = server.address() as AddressInfo;
      const annals = new Annals({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'ann_1' });
      expect(await annals.health.live()).toEqual({ status: 'ok' });
      expect(await annals.memories.create({ user_id: 'u', content: 'c', category: 'profile' })).toEqual({
        status: 'ok',
      });
    } finally {
      server.close();
    }
  });
});

/** Runs a CommonJS module and what it requires in a realm that has nothing of Node. */
function requireInContext(entry: string): unknown {
  const context = createContext({ ...WEB_GLOBALS });
  const loaded = new Map<string, { exports: object }>();
  const load = (file: string): object => {
    const known = loaded.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(file, module);
    const run = runInContext(`(function (module, exports, require) {${readFileSync(file, 'utf8')}\n})`, context, {
      filename: file,
    }) as (module: object, exports: object, require: (request: string) => object) => void;
    run(module, module.exports, (request) => load(path.resolve(path.dirname(file), request)));
    return module.exports;
  };
  return load(entry);
}
