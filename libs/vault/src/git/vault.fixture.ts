import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { SystemClock } from '@annals/domain';
import type { GitSettings } from './git.js';
import { VaultRepository } from './repository.js';

const run = promisify(execFile);

/** Where the systems that Annals runs on have Git. */
const SEARCH_PATH = '/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin';
export const SETTINGS: GitSettings = { clock: new SystemClock(), searchPath: SEARCH_PATH };
export const AUTHOR = { name: 'Annals', email: 'annals@localhost' };
/** 2026-11-30. */
export const AT = Date.UTC(2026, 10, 30);

/** A folder of its own for a test, and its repository. */
export interface TestVault {
  readonly folder: string;
  readonly repository: VaultRepository;
  /** Runs Git as a person does, in a configuration of its own; the output without the last line break. */
  git(...args: string[]): Promise<string>;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Writes these files and commits them as the vault does. */
  commit(files: Readonly<Record<string, string>>, message?: string): Promise<string | null>;
  /** Opens the repository again, as the next process does. */
  reopen(settings?: Partial<GitSettings>): Promise<VaultRepository>;
}

const folders: string[] = [];

/** Call in `afterAll`. */
export async function removeTestFolders(): Promise<void> {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
}

export async function createTestFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'annals-vault-')));
  folders.push(folder);
  return folder;
}

export async function createTestVault(settings: Partial<GitSettings> = {}): Promise<TestVault> {
  const folder = await createTestFolder();
  const repository = await VaultRepository.open(folder, { ...SETTINGS, ...settings });
  const write = (files: Readonly<Record<string, string>>) => writeTestFiles(folder, files);
  return {
    folder,
    repository,
    write,
    git: (...args) => runPersonsGit(folder, args),
    commit: async (files, message = 'Record memories') => {
      await write(files);
      const changes = Object.keys(files).map((name) => ({ path: name, action: 'put' as const }));
      return repository.commit({ changes, message, author: AUTHOR, at: AT });
    },
    reopen: (changed) => VaultRepository.open(folder, { ...SETTINGS, ...settings, ...changed }),
  };
}

export async function writeTestFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const writes = Object.entries(files).map(async ([name, text]) => {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  });
  await Promise.all(writes);
}

/** Git as a person runs it: porcelain, with the repository's own configuration and hooks. */
export async function runPersonsGit(folder: string, args: readonly string[]): Promise<string> {
  const env = {
    PATH: SEARCH_PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  };
  const { stdout } = await run('git', ['-c', 'safe.directory=*', '-c', 'protocol.file.allow=always', ...args], {
    cwd: folder,
    env,
    maxBuffer: 256 * 1024 * 1024,
  });
  return stdout.replace(/\n$/, '');
}
