import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { inRoot } from './paths.mjs';
import { reportWhile } from './report.mjs';
import { installPackages } from './tools.mjs';

const folder = inRoot('.runtimes');

/**
 * A JavaScript runtime that users of packages/sdk have. Node 24 runs the tests themselves.
 * @typedef {object} ClientRuntime
 * @property {string} title
 * @property {{ name: string, version: string }} npmPackage holds the program, without an install script
 * @property {string} program absolute path
 */

/**
 * The runtimes on which the examples of the client run, besides the one of the tests. None where npm has no packages of them:
 * there, only the runtime of the tests is checked.
 * @returns {ClientRuntime[]}
 */
export function listClientRuntimes() {
  if (process.platform !== 'linux' || !process.report.getReport().header.glibcVersionRuntime) return [];
  const { arch } = process;
  return [
    describe('Node 20', `node-linux-${arch}`, '20.20.2', 'bin/node'),
    describe('Node 22', `node-linux-${arch}`, '22.23.3', 'bin/node'),
    describe('Deno 2', `@deno/linux-${arch}-glibc`, '2.9.6', 'deno'),
    describe('Bun 1', `@oven/bun-linux-${arch === 'arm64' ? 'aarch64' : arch}`, '1.4.5', 'bin/bun'),
  ];
}

/** Installs those that are missing. */
export async function installClientRuntimes() {
  for (const { title, npmPackage } of listClientRuntimes()) {
    const manifest = path.join(homeOf(title), 'node_modules', npmPackage.name, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === npmPackage.version) continue;
    await mkdir(homeOf(title), { recursive: true });
    await reportWhile(
      `fetching ${title} into .runtimes (up to 0.2 GB, once), on which the examples of packages/sdk run`,
      () => installPackages(homeOf(title), [npmPackage]),
    );
  }
}

function describe(title, name, version, program) {
  return { title, npmPackage: { name, version }, program: path.join(homeOf(title), 'node_modules', name, program) };
}

/** A folder for each: two versions of Node have the same name. */
function homeOf(title) {
  return path.join(folder, title.toLowerCase().replace(' ', '-'));
}
