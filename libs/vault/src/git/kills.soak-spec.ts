import { cp } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SeededRng } from '@annals/domain';
import { sized, TEST_SEED, waitUntil } from '@annals/testing';
import { removeLeftovers } from '../files/list-files.js';
import { GitError } from './git-error.js';
import { VaultRepository } from './repository.js';
import {
  AT,
  AUTHOR,
  createTestFolder,
  createTestVault,
  removeTestFolders,
  runPersonsGit,
  SETTINGS,
} from './vault.fixture.js';
import { findInVault } from './vault-forensics.fixture.js';
import { startVaultProcess } from './vault-process.fixture.js';

const SECRET = 'zanzibar-4711-secret';

/** Commits small and large change sets, by which Git writes single objects and packs, and says each one. */
const COMMITTING = `
const repository = await vault.VaultRepository.open(folder, settings);
say('begun ' + ((await repository.state()).head ?? '') + ' ' + repository.hasLostHistory);
for (let round = 0; ; round += 1) {
  const changes = Array.from({ length: round % 3 === 2 ? 150 : 3 }, (_, index) => ({ path: 'f' + index + '.md', action: 'put' }));
  await vault.writeFiles(folder, changes.map(({ path }) => ({ path, text: path + ' ' + round + ' ' + process.pid })));
  say('commit ' + (await repository.commit({ changes, message: 'round ' + round, author, at: settings.clock.now() })));
}
`;

const FORGETTING = `
const repository = await vault.VaultRepository.open(folder, settings);
say('begun');
await repository.forget({ keep: (path) => path !== 'secret.md' });
say('done');
`;

// Longer than a commit or forgetting takes beside other work, so that every step of it is met.
const LONGEST_COMMIT_MS = 120;
const LONGEST_FORGETTING_MS = 250;

/** The first answer that is not that another program, as a run of Git that outlived its killer, holds a lock. */
async function whenUnlocked<Result>(work: () => Promise<Result>): Promise<Result> {
  const answer = await waitUntil(
    async () => {
      const result = await work().catch((error: unknown) => ({ error }));
      return isRefusedByLock(result) ? null : { result };
    },
    { describe: 'the lock is free' },
  );
  // Thrown here: what a condition throws counts as not fulfilled yet.
  if (hasError(answer.result)) throw answer.result.error;
  return answer.result;
}

function hasError(result: unknown): result is { error: unknown } {
  return typeof result === 'object' && result !== null && 'error' in result;
}

function isRefusedByLock(result: unknown): boolean {
  return hasError(result) && result.error instanceof GitError && result.error.isLocked;
}

describe('a vault whose process is killed', () => {
  afterAll(removeTestFolders);

  it(`has its last commit or the next one, and nothing torn (seed ${TEST_SEED})`, async () => {
    const rng = new SeededRng(TEST_SEED);
    const folder = await createTestFolder();
    let acknowledged = '';
    for (let round = 0; round < sized(8, 300); round += 1) {
      const child = await startVaultProcess(COMMITTING, folder);
      await waitUntil(() => child.lines.length > 1 + Math.floor(rng.nextFloat() * 3), { describe: 'it commits' });
      await pause(rng.nextFloat() * LONGEST_COMMIT_MS);
      const withGit = rng.nextFloat() < 0.7;
      await child.kill(withGit);
      expect(child.lines[0]).toMatch(/ false$/);
      acknowledged =
        child.lines.findLast((line) => line.startsWith('commit '))?.slice('commit '.length) ?? acknowledged;

      await removeLeftovers(folder);
      const repository = await VaultRepository.open(folder, SETTINGS);
      expect(repository.hasLostHistory).toBe(false);
      const { head, isBusy } = await repository.state();
      expect(isBusy).toBe(false);
      // The first commit has none before it.
      const lastTwo = (await runPersonsGit(folder, ['rev-list', '-2', head!])).split('\n');
      expect(lastTwo).toContain(acknowledged);
      expect(await runPersonsGit(folder, ['fsck', '--full', '--no-dangling'])).toBe('');
      const changes = Array.from({ length: 150 }, (_, index) => ({ path: `f${index}.md`, action: 'put' as const }));
      await whenUnlocked(() => repository.commit({ changes, message: 'again', author: AUTHOR, at: AT }));
      await whenUnlocked(async () => expect(await runPersonsGit(folder, ['status', '--porcelain'])).toBe(''));
    }
  });

  it(`can finish what it was forgetting (seed ${TEST_SEED})`, async () => {
    const rng = new SeededRng(TEST_SEED);
    const template = await createTestVault();
    for (let index = 0; index < 30; index += 1) {
      const files = { [`a${index}.md`]: `A ${index}`, 'secret.md': `${SECRET} ${index}` };
      await template.commit(index % 3 === 0 ? { 'secret.md': `${SECRET} alone ${index}` } : files, `commit ${index}`);
    }
    await template.git('tag', '-a', '-m', 'annotated', 'v1', 'HEAD~5');
    await template.git('branch', 'draft', 'HEAD~3');
    await template.git('repack', '-q', '-d');
    await template.commit({ 'z.md': 'Z' }, 'last');
    await template.git('rm', '-q', 'secret.md');
    let unfinished = 0;
    for (let round = 0; round < sized(6, 150); round += 1) {
      const folder = path.join(await createTestFolder(), 'vault');
      await cp(template.folder, folder, { recursive: true });
      const child = await startVaultProcess(FORGETTING, folder);
      await waitUntil(() => child.lines.length > 0, { describe: 'it forgets' });
      await pause(rng.nextFloat() * LONGEST_FORGETTING_MS);
      await child.kill(rng.nextFloat() < 0.7);
      if (!child.lines.includes('done')) unfinished += 1;

      const repository = await VaultRepository.open(folder, SETTINGS);
      expect(repository.hasLostHistory).toBe(false);
      await whenUnlocked(() => repository.forget({ keep: (name) => name !== 'secret.md' }));
      expect(await findInVault(folder, SECRET)).toEqual([]);
      expect(await repository.count()).toMatchObject({ commits: 21 });
      expect((await repository.headFiles()).size).toBe(21);
      expect(await runPersonsGit(folder, ['for-each-ref', '--format=%(refname)'])).toBe(
        'refs/heads/draft\nrefs/heads/main\nrefs/tags/v1',
      );
      expect(await runPersonsGit(folder, ['fsck', '--full', '--strict'])).toBe('');
      expect(await runPersonsGit(folder, ['status', '--porcelain'])).toBe('');
    }
    expect(unfinished).toBeGreaterThan(0);
  });
});
