import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compileExamples, findImportProblems, type InstalledPackage, readCode } from '../sdk/module-package.js';
import { AI_SDK_FOLDER, installAiSdk } from './install-ai-sdk.js';

/** Twice what it is: what adds that much is meant to be noticed. */
const MAX_PACKED_BYTES = 60_000;
const MAX_CODE_BYTES = 110_000;

describe('the package @annals/ai-sdk', () => {
  let project: string;
  let installed: InstalledPackage;
  beforeAll(() => {
    project = mkdtempSync(path.join(tmpdir(), 'annals-ai-sdk-'));
    installed = installAiSdk(project);
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it('contains its build, its README and its license, and nothing else', () => {
    const other = installed.packed.files.filter((file) => !/^dist\/.*\.(?:js|d\.ts)$/.test(file));
    expect(other.toSorted()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(installed.packed.files.filter((file) => /spec|fixture/.test(file))).toEqual([]);
  });

  it('is small, and imports its peers and nothing else', () => {
    expect(installed.packed.bytes).toBeLessThan(MAX_PACKED_BYTES);
    const { code, imports } = readCode(installed);
    expect(Buffer.byteLength(code)).toBeLessThan(MAX_CODE_BYTES);
    expect(imports).toEqual(['@annals/sdk', 'ai']);
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(path.join(installed.folder, 'package.json'), 'utf8'),
    ) as { dependencies?: object; peerDependencies: object };
    expect([dependencies, Object.keys(peerDependencies)]).toEqual([
      undefined,
      ['@ai-sdk/provider', '@annals/sdk', 'ai'],
    ]);
  });

  it('gives imports code and types', async () => {
    expect(await findImportProblems(installed)).toEqual([]);
  });

  it('gives the examples of its README their types', () => {
    expect(compileExamples(project, AI_SDK_FOLDER, { target: 'es2023' })).toBe('');
  });
});
