import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const folders = globSync('{apps,libs,packages}/*', { cwd: root }).toSorted();
/** A package that tests use only is found through the root's dependencies, as tests are run from there. */
const ONLY_TESTS = /(?:spec|\.contract|\.fixture)\.ts$|\/fixtures\//;

// A missing declaration resolves here, through the dependencies of the root, and fails in an image, which has none.
describe('packages of Annals', () => {
  it.each(folders)('%s declares every other one that it imports', (folder) => {
    const manifest = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as {
      name: string;
      dependencies?: Record<string, string>;
      peerDependencies?: Record<string, string>;
    };
    const sources = globSync(`${folder}/src/**/*.ts`, { cwd: root }).filter((file) => !ONLY_TESTS.test(file));
    const imported = sources.flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(/(?:from |import\()'(@annals\/[\w-]+)/g)].map(
        (match) => match[1]!,
      ),
    );
    const declared = [manifest.name, ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })];
    expect([...new Set(imported)].filter((name) => !declared.includes(name))).toEqual([]);
  });
});
