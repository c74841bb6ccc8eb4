import { existsSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * The TypeScript source of an import, or undefined when it should be resolved as usual.
 * Tests read sources, so that `@annals/x` and relative `.js` imports never load a stale build.
 * @param {string} request as written in the import
 * @param {string | undefined} fromFolder absolute folder of the importing file
 */
export function findSource(request, fromFolder) {
  const workspacePackage = /^@annals\/([^/]+)$/.exec(request)?.[1];
  if (workspacePackage)
    return firstExisting(['libs', 'packages', 'apps'].map((kind) => sourceEntry(kind, workspacePackage)));
  if (!fromFolder || !/^\.{1,2}\/.*\.js$/.test(request) || fromFolder.includes('node_modules')) return undefined;
  return firstExisting([path.resolve(fromFolder, request.replace(/\.js$/, '.ts'))]);
}

function sourceEntry(kind, name) {
  return path.join(root, kind, name, 'src/index.ts');
}

function firstExisting(candidates) {
  return candidates.find((candidate) => existsSync(candidate));
}
