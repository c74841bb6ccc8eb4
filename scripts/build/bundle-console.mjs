import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// Bundles the console into static files, apps/console/dist, unless nothing that it is made of has changed since.
const root = path.resolve(import.meta.dirname, '../..');
const versionFile = path.join(root, 'apps/console/dist/.version');

const version = hashInputs();
if (!existsSync(versionFile) || readFileSync(versionFile, 'utf8') !== version) {
  const { build } = await import('vite');
  await build({ root: path.join(root, 'apps/console'), logLevel: 'warn' });
  writeFileSync(versionFile, version);
}

/** Of the sources, the client that they use, and the dependencies. */
function hashInputs() {
  const hash = createHash('sha256');
  const files = [
    'pnpm-lock.yaml',
    'scripts/build/bundle-console.mjs',
    ...globSync('{apps/console/{*.*,public/**/*.*,src/**/*.*},packages/sdk/src/**/*.ts}', { cwd: root }).toSorted(),
  ];
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}
