import { existsSync, globSync, lstatSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * The packages in a folder with pnpm's layout: dependencies, and the packages of Annals.
 * @param {string} folder
 * @returns {{ name: string, version: string, license?: string }[]}
 */
export function listInstalledPackages(folder) {
  const store = path.join(folder, 'node_modules/.pnpm');
  const dependencies = readdirSync(store).flatMap((entry) => packageFolders(path.join(store, entry, 'node_modules')));
  const own = globSync('{apps,libs}/*', { cwd: folder }).map((name) => path.join(folder, name));
  const installed = [...dependencies, ...own]
    .map((packageFolder) => path.join(packageFolder, 'package.json'))
    .filter((manifest) => existsSync(manifest))
    .map((manifest) => JSON.parse(readFileSync(manifest, 'utf8')))
    .map(({ name, version, license }) => ({ name, version, license }));
  return [...installed, ...listBundledPackages(folder)];
}

/** What is in the bundle of the console, as its build lists it. */
function listBundledPackages(folder) {
  const list = path.join(folder, 'apps/console/dist/licenses.json');
  if (!existsSync(list)) return [];
  return JSON.parse(readFileSync(list, 'utf8')).map(({ name, version, identifier: license }) => ({
    name,
    version,
    license,
  }));
}

/** A package stands in its folder beside links to what it depends on. */
function packageFolders(modules) {
  if (!existsSync(modules)) return [];
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(path.join(modules, name)).map((short) => `${name}/${short}`) : [name],
  );
  return names.map((name) => path.join(modules, name)).filter((folder) => !lstatSync(folder).isSymbolicLink());
}
