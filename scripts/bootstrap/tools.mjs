import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { inRoot } from './paths.mjs';
import { mustRun } from './run.mjs';
import { reportWhile } from './report.mjs';

const NODE_VERSION = '24.21.0';
const MIN_NODE_VERSION = [24, 11];
const PNPM_VERSION = '12.21.0';
const toolFolder = inRoot('.bootstrap');

/**
 * Makes Node 24 and pnpm available inside the repository, without touching the machine.
 * @returns {Promise<NodeJS.ProcessEnv>} the environment in which every further command runs
 */
export async function prepareTools() {
  refuseWindows();
  const required = [pnpmPackage(), ...(isNodeNewEnough() ? [] : [nodePackage()])];
  const missing = required.filter((tool) => installedVersion(tool) !== tool.version);
  if (missing.length > 0) {
    const names = missing.map((tool) => `${tool.title} ${tool.version}`).join(' and ');
    await reportWhile(`fetching ${names} into .bootstrap (once; nothing is installed on the machine)`, () =>
      installTools(required),
    );
  }
  return toolEnvironment(required);
}

function isNodeNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > MIN_NODE_VERSION[0] || (major === MIN_NODE_VERSION[0] && minor >= MIN_NODE_VERSION[1]);
}

function refuseWindows() {
  if (process.platform === 'win32') throw new Error('On Windows, run this inside WSL 2 (https://aka.ms/wsl).');
}

function nodePackage() {
  if (process.platform !== 'linux' || isMusl()) {
    throw new Error(
      `This is Node ${process.versions.node}. On this system, install Node ${MIN_NODE_VERSION.join('.')} or newer ` +
        '(for example `brew install node@24`, or https://nodejs.org) and run the same command again.',
    );
  }
  return { title: 'Node', name: `node-linux-${process.arch}`, version: NODE_VERSION, binFolder: 'bin' };
}

function pnpmPackage() {
  const suffix = `${process.platform}-${process.arch}${isMusl() ? '-musl' : ''}`;
  return { title: 'pnpm', name: `@pnpm/exe.${suffix}`, version: PNPM_VERSION, binFolder: '.' };
}

function isMusl() {
  return process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
}

function installedVersion({ name }) {
  const manifest = path.join(toolFolder, 'node_modules', name, 'package.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined;
}

async function installTools(tools) {
  await mkdir(toolFolder, { recursive: true });
  await installPackages(toolFolder, tools);
}

/** Installs npm packages into a folder of their own, without a manifest and without running their install scripts. */
export async function installPackages(folder, packages) {
  const args = ['install', '--prefix', folder, '--no-save', '--no-package-lock', '--ignore-scripts'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const names = packages.map(({ name, version }) => `${name}@${version}`);
  const npm = process.env.npm_execpath;
  const [command, ...before] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  await mustRun(command, [...before, ...args, ...quiet, ...names], { quiet: true });
}

function toolEnvironment(tools) {
  const folders = tools.map(({ name, binFolder }) => path.join(toolFolder, 'node_modules', name, binFolder));
  if (isNodeNewEnough()) folders.unshift(path.dirname(process.execPath));
  // npm's own variables (npm_config_*, npm_lifecycle_*) would change what pnpm does.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  return {
    ...Object.fromEntries(inherited),
    PATH: [...folders, inRoot('node_modules/.bin'), process.env.PATH].join(path.delimiter),
  };
}
