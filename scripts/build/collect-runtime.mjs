import { nodeFileTrace } from '@vercel/nft';
import {
  copyFileSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { COMPUTED_FILES, EMBEDDED_ONLY, IMAGE_PROGRAMS, SHARED_PROGRAMS } from './programs.mjs';

// `collect-runtime.mjs <folder>`: copies what the images run into a folder, with the layout of the repository
// (docs/decisions/0068-images-are-built-and-run-by-a-test.md): the compiled packages of Annals, and of each dependency the files that a program may load. No development tools, type
// definitions, source maps or documentation of dependencies; their licences stay.
const root = path.resolve(import.meta.dirname, '../..');
const output = process.argv[2];
if (!output) throw new Error('Give the folder to copy into as argument.');

const programs = [...Object.values(IMAGE_PROGRAMS), ...SHARED_PROGRAMS];
const { fileList } = await nodeFileTrace(
  programs.map((program) => path.join(root, program)),
  { base: root, ignore: (file) => file.includes(EMBEDDED_ONLY) },
);

const traced = [...fileList, ...computedFiles()];
for (const file of traced) copy(file);
const ownPackages = new Set(traced.flatMap(ownPackageOf));
const dependencies = new Set(traced.flatMap(dependencyFolderOf));
for (const folder of ownPackages) for (const file of compiledFiles(folder)) copy(file);
for (const folder of dependencies) for (const file of legalFiles(folder)) copy(file);
for (const link of [...ownPackages, ...dependencies].flatMap(linksOf)) if (isCopied(link)) copy(link);

function computedFiles() {
  return Object.entries(COMPUTED_FILES).flatMap(([folder, dependencyFiles]) =>
    Object.entries(dependencyFiles).flatMap(([name, files]) => {
      const installed = realpathSync(path.join(root, folder, 'node_modules', name));
      return files.map((file) => path.relative(root, path.join(installed, file)));
    }),
  );
}

/** A package of Annals: its compiled modules with what they read from beside themselves, and their source maps. */
function ownPackageOf(file) {
  const folder = /^(?:apps|libs)\/[^/]+(?=\/dist\/)/.exec(file)?.[0];
  return folder ? [folder] : [];
}

function compiledFiles(folder) {
  const skipped = /\.d\.ts$|\.tsbuildinfo$|\/bundle\//;
  return globSync(`${folder}/dist/**/*`, { cwd: root }).filter(
    (file) => !skipped.test(file) && lstatSync(path.join(root, file)).isFile(),
  );
}

function dependencyFolderOf(file) {
  const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
  return folder && existsSync(path.join(root, folder, 'package.json')) ? [folder] : [];
}

function legalFiles(folder) {
  const names = globSync('{package.json,{LICEN,licen,Licen,NOTICE,COPYING}*}', { cwd: path.join(root, folder) });
  return names.map((name) => path.join(folder, name));
}

/** What a package depends on: a name that is put together as it is required, as TypeORM does for drivers, is not traced. */
function linksOf(folder) {
  const modules = folder.includes('/node_modules/')
    ? /^.*\/node_modules(?=\/)/.exec(folder)[0]
    : path.join(folder, 'node_modules');
  return globSync(`${modules}/{*,@*/*}`, { cwd: root }).filter((file) =>
    lstatSync(path.join(root, file)).isSymbolicLink(),
  );
}

/** Whether a link leads to a package that the programs load. */
function isCopied(link) {
  const target = path.relative(root, realpathSync(path.join(root, link)));
  return ownPackages.has(target) || dependencies.has(target);
}

/** Links stay links: pnpm's layout is made of them. */
function copy(file) {
  const from = path.join(root, file);
  const to = path.join(output, file);
  const kind = lstatSync(from);
  if (kind.isDirectory() || lstatSync(to, { throwIfNoEntry: false })) return;
  mkdirSync(path.dirname(to), { recursive: true });
  if (kind.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else copyFileSync(from, to);
}
