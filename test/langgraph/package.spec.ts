import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compileExamples, findImportProblems, type InstalledPackage, readCode } from '../sdk/module-package.js';
import { installLangGraph, LANGGRAPH_FOLDER } from './install-langgraph.js';

/** Twice what it is: what adds that much is meant to be noticed. */
const MAX_PACKED_BYTES = 40_000;

describe('the package @annals/langgraph', () => {
  let project: string;
  let installed: InstalledPackage;
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
    const { imports } = readCode(installed);
    const declared = JSON.parse(readFileSync(path.join(installed.folder, 'package.json'), 'utf8')) as Record<
      'dependencies' | 'peerDependencies',
      object
    >;
    // Only types are taken from @langchain/core.
    expect([...imports, '@langchain/core'].toSorted()).toEqual(
      Object.keys({ ...declared.dependencies, ...declared.peerDependencies }).toSorted(),
    );
  });

  it('gives imports code and types', async () => {
    expect(await findImportProblems(installed)).toEqual([]);
  });

  it('gives the examples of its README their types', () => {
    expect(compileExamples(project, LANGGRAPH_FOLDER, { target: 'es2024', lib: ['esnext'] })).toBe('');
  });
});
