import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readForgetRequest } from '@annals/domain';
import { forgetSubject } from '@annals/storage';
import { findInVault } from '../git/vault-forensics.fixture.js';
import { runPersonsGit, SETTINGS } from '../git/vault.fixture.js';
import { VaultRepository } from '../git/repository.js';
import { expectSameFiles, ProjectionFixture } from './projection.fixture.js';
import { INDEX_PATH } from './vault-index.js';

describe('the vault behind runs that did not come to their end', () => {
  let fixture: ProjectionFixture;
  let users = 0;
  let user: string;

  beforeAll(async () => {
    fixture = await ProjectionFixture.open();
  });
  beforeEach(() => {
    user = `user-${++users}`;
  });
  afterAll(() => fixture?.close());

  const expectSame = () => expectSameFiles(fixture, user);
  const lock = async () => {
    const place = join(await fixture.folderOf(user), '.git/index.lock');
    await writeFile(place, '');
    return () => rm(place);
  };

  const forget = (text: string) =>
    fixture.database.inTenant(fixture.tenantId, (tx) =>
      forgetSubject(
        tx,
        { userId: user, request: readForgetRequest(text)!, actor: 'key:spec', expectedDigest: null },
        fixture.dependencies,
      ),
    );

  it('forgets what a summary told of a message that lost all its words, when the index is lost', async () => {
    const [secret] = await fixture.post(user, 'kitchen', 'The password is xyzzy.', 'I keep it.');
    await fixture.summarize(user, 'kitchen', 'L1', 0, 'A password, xyzzy.');
    await fixture.write(user);
    const folder = await fixture.folderOf(user);
    await fixture.forgetMessage(secret!);
    await rm(join(folder, INDEX_PATH));
    expect(await fixture.write(user)).toMatchObject({ hasForgotten: true });
    expect(await findInVault(folder, 'xyzzy')).toEqual([]);
  });

  it('forgets the summaries of a conversation whose thread goes on anew before the next run', async () => {
    await fixture.post(user, 'kitchen', 'The password is xyzzy.', 'I keep it.');
    await fixture.summarize(user, 'kitchen', 'L1', 0, 'A password, xyzzy.');
    await fixture.write(user);
    await fixture.forgetThread(user, 'kitchen');
    await fixture.post(user, 'kitchen', 'Hello again.');
    expect(await fixture.write(user)).toMatchObject({ hasForgotten: true });
    expect(await findInVault(await fixture.folderOf(user), 'xyzzy')).toEqual([]);
  });

  it('forgets what a run wrote that could not commit, when its conversation is forgotten meanwhile', async () => {
    await fixture.add(user, 'The user likes tea.');
    await fixture.write(user);
    await fixture.post(user, 'clinic', 'The password is xyzzy.', 'I keep it.');
    const unlock = await lock();
    await expect(fixture.write(user)).rejects.toMatchObject({ code: 'locked' });
    await unlock();
    await fixture.forgetThread(user, 'clinic');
    await fixture.write(user);
    expect(await findInVault(await fixture.folderOf(user), 'xyzzy')).toEqual([]);
  });

  it('takes what its own run wrote that could not commit for its own', async () => {
    const memoryId = await fixture.add(user, 'The user likes tea.');
    await fixture.write(user);
    await fixture.change(user, { kind: 'edit', memoryId, patch: { importance: 5 } });
    const unlock = await lock();
    await expect(fixture.write(user)).rejects.toMatchObject({ code: 'locked' });
    await unlock();
    await fixture.change(user, { kind: 'edit', memoryId, patch: { importance: 4 } });
    expect(await fixture.write(user)).toMatchObject({ conflicts: 0 });
    await expectSame();
  });

  it('commits that a file moved while Git was switched off', async () => {
    const memoryId = await fixture.add(user, 'The user likes tea.');
    await fixture.write(user);
    await fixture.change(user, { kind: 'delete', memoryId, by: 'user' });
    await fixture.write(user, { repository: null });
    await fixture.add(user, 'Something else.');
    await fixture.write(user);
    await expectSame();
  });

  it('forgets what the history of before has, also when the index is lost while Git is off', async () => {
    const secret = await fixture.add(user, 'The password is xyzzy.');
    await fixture.add(user, 'The user likes tea.');
    await fixture.write(user);
    await fixture.purge(user, secret);
    const folder = await fixture.folderOf(user);
    await rm(join(folder, INDEX_PATH));
    const openFormer = () => VaultRepository.open(folder, SETTINGS);
    await fixture.write(user, { repository: null, openFormer });
    expect(await findInVault(folder, 'xyzzy')).toEqual([]);
  });

  it('forgets a name that only a summary has', async () => {
    await fixture.post(user, 'kitchen', 'Hello.', 'Hi.');
    const id = await fixture.summarize(user, 'kitchen', 'L1', 0, 'The user is angry with Zoltan.');
    await fixture.write(user);
    expect(await forget('forget Zoltan')).toMatchObject({ outcome: 'forgotten', counts: { summaries: 1 } });
    expect(await fixture.query('SELECT 1 FROM summary_sentences WHERE summary_id = $1', [id])).toEqual([]);
    await fixture.write(user);
    expect(await findInVault(await fixture.folderOf(user), 'Zoltan')).toEqual([]);
  });

  it('forgets a name that a memory has, and the summary that has it nowhere else', async () => {
    await fixture.post(user, 'kitchen', 'Hello.', 'Hi.');
    await fixture.add(user, 'The user is a friend of Zoltan.');
    await fixture.summarize(user, 'kitchen', 'L1', 0, 'The user is angry with Zoltan.');
    await fixture.write(user);
    expect(await forget('forget Zoltan')).toMatchObject({ outcome: 'forgotten', counts: { summaries: 1 } });
    expect(await fixture.write(user)).toMatchObject({ hasForgotten: true });
    expect(await findInVault(await fixture.folderOf(user), 'Zoltan')).toEqual([]);
  });

  it('forgets a sentence of a message that was cut between two parts of the first run', async () => {
    await fixture.post(user, 'a', 'I like green tea. Zoltan called me yesterday.', 'Noted.');
    for (let n = 0; n < 3; n += 1) await fixture.post(user, `thread-${n}`, `Hello ${n}.`);
    let pages = 0;
    expect(await fixture.write(user, { pageSize: 1, mayGoOn: () => ++pages <= 1 })).toMatchObject({
      isComplete: false,
    });
    expect(await forget('forget Zoltan')).toMatchObject({ outcome: 'forgotten' });
    expect((await fixture.query('SELECT content FROM messages WHERE forgotten_at IS NOT NULL')).length).toBeGreaterThan(
      0,
    );
    await fixture.write(user);
    await fixture.write(user);
    expect(await findInVault(await fixture.folderOf(user), 'Zoltan')).toEqual([]);
  });

  it('forgets what a killed run had committed and not noted', async () => {
    await fixture.add(user, 'The user likes tea.');
    await fixture.write(user);
    await fixture.post(user, 'clinic', 'The password is xyzzy.', 'I keep it.');
    const folder = await fixture.folderOf(user);
    const repository = await VaultRepository.open(folder, SETTINGS);
    const killed = Object.create(repository, {
      commit: {
        value: async (request: never) => {
          await repository.commit(request);
          throw new Error('killed');
        },
      },
    }) as VaultRepository;
    await expect(fixture.write(user, { repository: killed })).rejects.toThrow('killed');
    await fixture.forgetThread(user, 'clinic');
    await fixture.write(user);
    const secret = await fixture.add(user, 'Something else.');
    await fixture.write(user);
    expect(await findInVault(folder, 'xyzzy')).toEqual([]);
    expect(secret).toBeDefined();
  });

  it('commits what moved behind the commits that the disk lost', async () => {
    const memoryId = await fixture.add(user, 'The user likes tea.');
    await fixture.write(user);
    await fixture.change(user, { kind: 'delete', memoryId, by: 'user' });
    await fixture.write(user);
    const folder = await fixture.folderOf(user);
    const before = await runPersonsGit(folder, ['rev-parse', 'HEAD~1']);
    await runPersonsGit(folder, ['update-ref', 'refs/heads/main', before.trim()]);
    const repository = await VaultRepository.open(folder, SETTINGS);
    const lost = Object.create(repository, { hasLostHistory: { value: true } }) as VaultRepository;
    await fixture.write(user, { repository: lost });
    await expectSame();
  });

  it('forgets a conversation that a run wrote half', async () => {
    await fixture.post(user, 'clinic', 'The password is xyzzy.', 'I keep it.');
    await fixture.summarize(user, 'clinic', 'L1', 0, 'Somebody keeps something.');
    let pages = 0;
    expect(await fixture.write(user, { pageSize: 1, mayGoOn: () => ++pages <= 1 })).toMatchObject({
      isComplete: false,
    });
    await fixture.forgetThread(user, 'clinic');
    await fixture.write(user);
    await fixture.add(user, 'The user likes tea.');
    await fixture.write(user);
    expect(await findInVault(await fixture.folderOf(user), 'xyzzy')).toEqual([]);
  });
});
