import { execFile } from 'node:child_process';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findInVault } from '../git/vault-forensics.fixture.js';
import { runPersonsGit, SETTINGS } from '../git/vault.fixture.js';
import { VaultRepository } from '../git/repository.js';
import { expectSameFiles, ProjectionFixture } from './projection.fixture.js';
import { INDEX_PATH } from './vault-index.js';

describe('what is forgotten in the vault', () => {
  let fixture: ProjectionFixture;
  let users = 0;
  /** Another user for each test. */
  let user: string;

  beforeAll(async () => {
    fixture = await ProjectionFixture.open();
  });
  beforeEach(() => {
    user = `user-${++users}`;
  });
  afterAll(() => fixture?.close());

  const pathOf = (itemId: string) => fixture.pathOf(user, itemId);
  const expectSame = () => expectSameFiles(fixture, user);
  const read = async (path: string) => {
    const text = await readFile(join(await fixture.folderOf(user), path), 'utf8');
    return { body: text.slice(text.indexOf('\n---\n\n') + 6, -1) };
  };

  it('leaves no word in files, commits and packs, nor in what somebody made of them', async () => {
    const [secret, plain] = await fixture.post(user, 'kitchen', 'The password is xyzzy.', 'I keep it.');
    const memoryId = await fixture.add(user, 'The password of the user is xyzzy.', [secret!]);
    const other = await fixture.add(user, 'The user likes tea.', [plain!]);
    await fixture.summarize(user, 'kitchen', 'L3', 0, 'A password, xyzzy.');
    await fixture.write(user);
    const folder = await fixture.folderOf(user);
    await appendFile(join(folder, await pathOf(memoryId)), 'xyzzy, mine.\n');
    await fixture.change(user, { kind: 'edit', memoryId, patch: { importance: 5 } });
    await fixture.write(user);
    await fixture.forgetMessage(secret!);
    expect(await fixture.write(user)).toMatchObject({ hasForgotten: true });
    expect(await findInVault(folder, 'xyzzy')).toEqual([]);
    expect(await read(await pathOf(other))).toMatchObject({ body: 'The user likes tea.' });
    await expectSame();
  });

  it('is forgotten as well when the index was lost', async () => {
    const memoryId = await fixture.add(user, 'The password of the user is xyzzy.');
    await fixture.add(user, 'The user likes tea.');
    await fixture.write(user);
    const folder = await fixture.folderOf(user);
    await fixture.purge(user, memoryId);
    await writeFile(join(folder, INDEX_PATH), '{"format": 1, "items": {');
    await fixture.write(user);
    expect(await findInVault(folder, 'xyzzy')).toEqual([]);
    await expectSame();
  });

  it('is forgotten with its whole conversation, name included', async () => {
    const [said] = await fixture.post(user, 'divorce-papers', 'We met at noon.');
    const [again] = await fixture.post(user, 'kitchen', 'We met at noon, I said.');
    const memoryId = await fixture.add(user, 'They met at noon.', [again!]);
    await fixture.add(user, 'They met at noon.', [said!]);
    await fixture.write(user);
    await fixture.forgetThread(user, 'divorce-papers');
    await fixture.write(user);
    expect(await findInVault(await fixture.folderOf(user), 'divorce-papers')).toEqual([]);
    expect(await pathOf(memoryId)).toMatch(/^entries\/kitchen\/facts\//);
    await expectSame();
  });

  it('does not wait for a merge or another branch, which everything else does', async () => {
    const memoryId = await fixture.add(user, 'The password of the user is xyzzy.');
    await fixture.add(user, 'The user likes coffee.');
    await fixture.write(user);
    const folder = await fixture.folderOf(user);
    const git = (...args: string[]) => promisify(execFile)('git', ['-c', 'safe.directory=*', ...args], { cwd: folder });
    await git('checkout', '-q', '-b', 'mine');
    await fixture.add(user, 'The user likes tea.');
    await expect(fixture.write(user)).rejects.toMatchObject({ code: 'busy' });
    await fixture.purge(user, memoryId);
    expect(await fixture.write(user)).toMatchObject({ hasForgotten: true });
    expect(await findInVault(folder, 'xyzzy')).toEqual([]);
    expect((await git('branch', '--list', 'mine')).stdout).toContain('mine');
    await expectSame();
  });

  it('stays forgotten when the rewriting of the history is interrupted', async () => {
    const memoryId = await fixture.add(user, 'The password of the user is xyzzy.');
    await fixture.write(user);
    await fixture.purge(user, memoryId);
    const broken = {
      state: async () => ({ isBusy: false }),
      headFiles: async () => new Map(),
      commit: async () => null,
      forget: () => Promise.reject(new Error('killed')),
    };
    await expect(fixture.write(user, { repository: broken as never })).rejects.toThrow('killed');
    await fixture.write(user);
    expect(await findInVault(await fixture.folderOf(user), 'xyzzy')).toEqual([]);
  });

  it('is not in the history when it was purged between two parts of the first run', async () => {
    const secret = await fixture.add(user, 'The password is xyzzy.');
    for (let n = 0; n < 3; n += 1) await fixture.post(user, `thread-${n}`, `Hello ${n}.`);
    let pages = 0;
    expect(await fixture.write(user, { pageSize: 1, mayGoOn: () => ++pages <= 2 })).toMatchObject({
      isComplete: false,
    });
    await fixture.purge(user, secret);
    expect(await fixture.write(user)).toMatchObject({ isComplete: true });
    await fixture.add(user, 'Something else.');
    await fixture.write(user);
    expect(await findInVault(await fixture.folderOf(user), 'xyzzy')).toEqual([]);
  });

  it('leaves the history of before, also while Git is switched off', async () => {
    const secret = await fixture.add(user, 'The password is xyzzy.');
    await fixture.write(user);
    await fixture.purge(user, secret);
    const folder = await fixture.folderOf(user);
    const openFormer = () => VaultRepository.open(folder, SETTINGS);
    await fixture.write(user, { repository: null, openFormer });
    expect(await findInVault(folder, 'xyzzy')).toEqual([]);
  });

  it('takes live summaries along, without Git and without an index', async () => {
    await fixture.post(user, 'kitchen', 'Tea.');
    await fixture.post(user, 'clinic', 'The password is xyzzy.');
    await fixture.summarize(user, 'clinic', 'L3', 0, 'A password, xyzzy.');
    await fixture.write(user, { repository: null });
    const folder = await fixture.folderOf(user);
    await rm(join(folder, INDEX_PATH));
    await fixture.forgetThread(user, 'clinic');
    await fixture.write(user, { repository: null });
    await rm(join(folder, '.git'), { recursive: true, force: true });
    const left = [...(await fixture.found(user))].filter(([, text]) => text.includes('xyzzy')).map(([path]) => path);
    expect(left).toEqual([]);
  });

  it('does not wait for a merge that nobody finishes', async () => {
    const secret = await fixture.add(user, 'The password is xyzzy.');
    await fixture.write(user);
    const folder = await fixture.folderOf(user);
    const head = await runPersonsGit(folder, ['rev-parse', 'HEAD']);
    await writeFile(join(folder, '.git/MERGE_HEAD'), `${head}\n`);
    await fixture.purge(user, secret);
    await fixture.write(user);
    expect(await findInVault(folder, 'xyzzy')).toEqual([]);
  });

  it('leaves branches and tags that somebody made', async () => {
    const secret = await fixture.add(user, 'The password is xyzzy.');
    await fixture.add(user, 'The user likes tea.');
    await fixture.write(user);
    const folder = await fixture.folderOf(user);
    await runPersonsGit(folder, ['branch', 'mine']);
    await runPersonsGit(folder, ['tag', '-a', '-m', 'A tag', 'v1']);
    await fixture.purge(user, secret);
    await fixture.write(user);
    expect(await findInVault(folder, 'xyzzy')).toEqual([]);
    await expectSame();
  });

  it('is the sentence of a message when the index is lost as well', async () => {
    const [said] = await fixture.post(user, 'kitchen', 'The password is xyzzy.', 'Noted.');
    await fixture.write(user);
    const folder = await fixture.folderOf(user);
    await fixture.forgetMessage(said!);
    await rm(join(folder, INDEX_PATH));
    await fixture.write(user);
    expect(await findInVault(folder, 'xyzzy')).toEqual([]);
  });

  it('is in no history when the message was forgotten between two parts of the first run', async () => {
    const [said] = await fixture.post(user, 'a', 'The password is xyzzy.', 'Noted.');
    for (let n = 0; n < 3; n += 1) await fixture.post(user, `thread-${n}`, `Hello ${n}.`);
    let pages = 0;
    expect(await fixture.write(user, { pageSize: 1, mayGoOn: () => ++pages <= 1 })).toMatchObject({
      isComplete: false,
    });
    await fixture.forgetMessage(said!);
    await fixture.write(user);
    await fixture.write(user);
    expect(await findInVault(await fixture.folderOf(user), 'xyzzy')).toEqual([]);
  });

  it('leaves in the folder what somebody wrote into a message, and forgets that they committed it', async () => {
    const [turn] = await fixture.post(user, 'kitchen', 'Hello.');
    const secret = await fixture.add(user, 'The password is xyzzy.');
    await fixture.write(user);
    const folder = await fixture.folderOf(user);
    await appendFile(join(folder, await pathOf(turn!)), 'Words of a person.\n');
    await runPersonsGit(folder, ['commit', '-qam', 'I note something']);
    await fixture.purge(user, secret);
    await fixture.write(user);
    expect((await fixture.found(user)).get(await pathOf(turn!))).toContain('Words of a person.');
  });
});
