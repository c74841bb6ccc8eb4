import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runProgram } from '@annals/testing';
import { type InstalledPackage, readCode } from '../sdk/module-package.js';
import { installCli } from './install-cli.js';

/** Twice what it is: what adds that much is meant to be noticed. */
const MAX_PACKED_BYTES = 50_000;

describe('the package @annals/cli', () => {
  let project: string;
  let installed: InstalledPackage;
  beforeAll(() => {
    project = mkdtempSync(path.join(tmpdir(), 'annals-cli-'));
    installed = installCli(project);
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it('contains its build, its README and its license, and nothing else', () => {
    const other = installed.packed.files.filter((file) => !/^dist\/.*\.js$/.test(file));
    expect(other.toSorted()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(installed.packed.files.filter((file) => /spec|fixture/.test(file))).toEqual([]);
    expect(installed.packed.bytes).toBeLessThan(MAX_PACKED_BYTES);
  });

  it('imports what it declares, and nothing else', () => {
    const { dependencies } = JSON.parse(readFileSync(path.join(installed.folder, 'package.json'), 'utf8')) as {
      dependencies: object;
    };
    const names = readCode(installed)
      .imports.filter((name) => !name.startsWith('node:'))
      .map((name) => (name.startsWith('@') ? name : name.split('/')[0]!));
    expect([...new Set(names)].toSorted()).toEqual(Object.keys(dependencies).toSorted());
  });

  it('says its version and its options', async () => {
    const program = path.join(installed.folder, 'dist/cli/main.js');
    expect(await runProgram(program, ['--version'], {})).toMatchObject({ code: 0, stdout: '0.1.0\n' });
    expect((await runProgram(program, ['--help'], {})).stdout).toContain('annals <command> [options]');
  });
});
