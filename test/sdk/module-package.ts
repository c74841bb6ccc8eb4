import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { publint } from 'publint';
import type { PackedPackage } from './install-sdk.js';
import { readExamples } from './readme-examples.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');

/** A package of ES modules in the project of somebody who has installed it. */
export interface InstalledPackage {
  readonly packed: PackedPackage;
  /** The folder of the package. */
  readonly folder: string;
}

/** Gives a project the libraries of a package of this repository, as links to those that it is tested with. */
export function linkLibraries(project: string, packageFolder: string, libraries: readonly string[]): void {
  for (const library of libraries) {
    const link = path.join(project, 'node_modules', library);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(realpathSync(path.join(packageFolder, 'node_modules', library)), link);
  }
}

/** The code of a package, and the names of the packages that it imports, sorted. */
export function readCode({ folder }: InstalledPackage): { readonly code: string; readonly imports: string[] } {
  const files = globSync('dist/**/*.js', { cwd: folder });
  const code = files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('');
  const imports = Array.from(code.matchAll(/ from '([^.'][^']*)'/g), ([, name]) => name!);
  return { code, imports: [...new Set(imports)].toSorted() };
}

/** What keeps imports of a package from code or types. */
export async function findImportProblems({ packed, folder }: InstalledPackage): Promise<object[]> {
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(packed.tarball)), {
    entrypoints: ['.'],
  });
  const problems = 'problems' in analysis ? analysis.problems : [];
  const { messages } = await publint({ pkgDir: folder, level: 'suggestion', strict: true, pack: false });
  return [
    // ES modules only, and by `exports` only.
    ...problems.filter(
      (problem) =>
        problem.kind !== 'CJSResolvesToESM' && !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
    ),
    ...messages,
  ];
}

/** What the compiler says of the examples in the README of a package, in a project that has it installed. */
export function compileExamples(project: string, packageFolder: string, options: object): string {
  const files = readExamples(packageFolder).map(({ file, code }) => {
    writeFileSync(path.join(project, file), code);
    return file;
  });
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    // The declarations of the libraries do not pass.
    skipLibCheck: true,
    module: 'nodenext',
    types: ['node'],
    typeRoots: [path.join(ROOT, 'node_modules/@types')],
    ...options,
  };
  writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  return spawnSync(process.execPath, [TSC, '-p', project], { encoding: 'utf8' }).stdout;
}
