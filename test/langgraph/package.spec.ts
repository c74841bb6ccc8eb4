import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publint } from 'publint';
import { readExamples } from '../sdk/readme-examples.js';
import { type InstalledLangGraph, installLangGraph, LANGGRAPH_FOLDER } from './install-langgraph.js';

/** Twice what it is: what adds that much is meant to be noticed. */
const MAX_PACKED_BYTES = 40_000;

const ROOT = path.resolve(import.meta.dirname, '../..');
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');

describe('the package @annals/langgraph', () => {
  let project: string;
  let installed: InstalledLangGraph;
  beforeAll(() => {
    project = mkdtempSync(path.join(tmpdir(), 'annals-langgraph-'));
    installed = installLangGraph(project);
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it('contains its build, its README and its license, and nothing else', () => {
    const other = installed.packed.files.filter((file) => !/^dist\/.*\.(?:js|d\.ts)$/.test(file));
    expect(other.toSorted()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(installed.packed.files.filter((file) => /spec|fixture/.test(file))).toEqual([]);
    expect(installed.packed.bytes).toBeLessThan(MAX_PACKED_BYTES);
  });

  it('imports what it declares, and nothing else', () => {
    const files = globSync('dist/**/*.js', { cwd: installed.folder });
    const texts = files.map((file) => readFileSync(path.join(installed.folder, file), 'utf8'));
    const imports = texts.flatMap((text) => Array.from(text.matchAll(/ from '([^.'][^']*)'/g), ([, name]) => name!));
    const declared = JSON.parse(readFileSync(path.join(installed.folder, 'package.json'), 'utf8')) as Record<
      'dependencies' | 'peerDependencies',
      object
    >;
    // Only types are taken from @langchain/core.
    expect([...new Set(imports), '@langchain/core'].toSorted()).toEqual(
      Object.keys({ ...declared.dependencies, ...declared.peerDependencies }).toSorted(),
    );
  });

  it('gives imports code and types', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(readFileSync(installed.packed.tarball)), {
      entrypoints: ['.'],
    });
    // ES modules only.
    const problems = 'problems' in analysis ? analysis.problems.filter(({ kind }) => kind !== 'CJSResolvesToESM') : [];
    expect(problems.filter((problem) => !('resolutionKind' in problem) || problem.resolutionKind !== 'node10')).toEqual(
      [],
    );
    const { messages } = await publint({ pkgDir: installed.folder, level: 'suggestion', strict: true, pack: false });
    expect(messages).toEqual([]);
  });

  it('gives the examples of its README their types', () => {
    const files = readExamples(LANGGRAPH_FOLDER).map(({ file, code }) => {
      writeFileSync(path.join(project, file), code);
      return file;
    });
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      // The declarations of LangGraph do not pass.
      skipLibCheck: true,
      module: 'nodenext',
      target: 'es2024',
      lib: ['esnext'],
      types: ['node'],
      typeRoots: [path.join(ROOT, 'node_modules/@types')],
    };
    writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const { stdout } = spawnSync(process.execPath, [TSC, '-p', project], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });
});
