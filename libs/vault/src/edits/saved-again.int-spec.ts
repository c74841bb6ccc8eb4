import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runPersonsGit } from '../git/vault.fixture.js';
import { findInVault } from '../git/vault-forensics.fixture.js';
import { expectSameFiles } from '../projection/projection.fixture.js';
import { INDEX_PATH } from '../projection/vault-index.js';
import { EditsFixture } from './edits.fixture.js';
import { RedactionUnavailableError } from './plan-candidate.js';

const NONE = { changed: 0, added: 0, deleted: 0, restored: 0, refused: 0, returned: 0, withheld: 0 };

describe('files that come again', () => {
  let fixture: EditsFixture;
  let users = 0;
  let user: string;
  let tea: string;
  let path: string;

  beforeAll(async () => {
    fixture = await EditsFixture.open();
  });
  beforeEach(async () => {
    user = `user-${++users}`;
    tea = await fixture.vault.add(user, 'The user likes tea.');
    await fixture.vault.add(user, 'The user has a dog.');
    await fixture.run(user);
    path = await fixture.vault.pathOf(user, tea);
  });
  afterAll(() => fixture?.close());

  const git = async (...args: string[]) => runPersonsGit(await fixture.vault.folderOf(user), args);
  const kill = async () => {
    throw new Error('killed');
  };

  it('are edits of what they became when an editor saves again', async () => {
    const text = await fixture.read(user, path);
    for (const words of ['tea and', 'tea and rum', 'tea and rum, hot']) {
      await fixture.put(user, path, text.replace('tea', words));
      await fixture.put(user, 'entries/_manual/facts/n.md', `The user sings ${words}.`);
      await fixture.run(user);
    }
    expect(await fixture.contents(user)).toEqual([
      'The user has a dog.',
      'The user likes tea and rum, hot.',
      'The user sings tea and rum, hot.',
    ]);
    await expectSameFiles(fixture.vault, user);
    // Another statement under the same name is another memory.
    await fixture.put(user, 'entries/_manual/facts/n.md', 'Her brother lives in Lima.');
    await fixture.run(user);
    expect(await fixture.contents(user)).toContain('The user sings tea and rum, hot.');
    expect(await fixture.contents(user)).toContain('Her brother lives in Lima.');
  });

  it('undo what somebody did', async () => {
    const text = await fixture.read(user, path);
    await fixture.remove(user, path);
    await fixture.run(user);
    await fixture.put(user, path, text);
    expect((await fixture.run(user)).edits).toMatchObject({ ...NONE, restored: 1 });
    await fixture.put(user, path, text.replace('tea', 'teq'));
    await fixture.run(user);
    await fixture.put(user, path, text);
    await fixture.run(user);
    expect(await fixture.contents(user)).toEqual(['The user has a dog.', 'The user likes tea.']);
    await expectSameFiles(fixture.vault, user);
  });

  it('restore nothing that was deleted through the API', async () => {
    const text = await fixture.read(user, path);
    await fixture.vault.change(user, { kind: 'delete', memoryId: tea, by: 'user' });
    await fixture.run(user);
    await fixture.put(user, path, text);
    expect((await fixture.run(user)).edits).toMatchObject(NONE);
    expect(await fixture.contents(user)).toEqual(['The user has a dog.']);
    await expectSameFiles(fixture.vault, user);
  });

  it.each(['with the repository', 'by themselves'])('bring back nothing that was forgotten, %s', async (how) => {
    const text = await fixture.read(user, path);
    const clone = join(fixture.vault.root, `.clone-${users}`);
    await git('clone', '-q', '.', clone);
    await fixture.put(user, 'entries/_manual/facts/copy.md', text);
    await fixture.run(user);
    await fixture.vault.purge(user, tea);
    await fixture.run(user);
    const folder = await fixture.vault.folderOf(user);
    expect(await findInVault(folder, ['likes tea'])).toEqual([]);
    if (how === 'by themselves') await fixture.put(user, path, text);
    else await git('pull', '-q', '--no-rebase', '--no-edit', '--allow-unrelated-histories', clone, 'main');
    await fixture.run(user);
    expect(await fixture.contents(user)).toEqual(['The user has a dog.']);
    expect(await fixture.vault.found(user).then((files) => [...files.values()].join())).not.toContain('likes tea');
    await rm(clone, { recursive: true });
  });

  it('are not taken for ours because somebody committed them', async () => {
    await fixture.edit(user, path, 'tea', 'cocoa');
    await git('commit', '-q', '-am', 'mine');
    await fixture.remove(user, INDEX_PATH);
    await fixture.run(user);
    const all = [...(await fixture.contents(user)), ...(await fixture.conflicts(user))].join();
    expect(all).toContain('cocoa');
  });

  it('end no other memory', async () => {
    const dog = await fixture.vault.pathOf(user, (await fixture.memories(user))[1]!.id);
    const [one, other] = [await fixture.read(user, path), await fixture.read(user, dog)];
    await fixture.put(user, path, other);
    await fixture.put(user, dog, one.replace('tea', 'cake'));
    await fixture.run(user);
    expect(await fixture.contents(user)).toEqual(['The user has a dog.', 'The user likes tea.']);
    expect(await fixture.conflicts(user)).toEqual([expect.stringContaining('cake')]);
  });

  it('overrule nothing that was done since a run that failed', async () => {
    await fixture.remove(user, path);
    await fixture.put(user, 'entries/_manual/facts/n.md', 'The user sings.');
    await expect(fixture.run(user, { write: { read: kill } })).rejects.toThrow('killed');
    const sings = (await fixture.memories(user)).find(({ content }) => content === 'The user sings.')!.id;
    await fixture.vault.change(user, { kind: 'restore', memoryId: tea });
    await fixture.vault.change(user, { kind: 'delete', memoryId: sings, by: 'user' });
    await fixture.run(user);
    expect(await fixture.contents(user)).toEqual(['The user has a dog.', 'The user likes tea.']);
    await expectSameFiles(fixture.vault, user);
  });

  it('are missing for another reason when nobody took deletions over before, or the history went back', async () => {
    await fixture.remove(user, path);
    await fixture.vault.write(user);
    expect((await fixture.run(user)).edits).toMatchObject({ ...NONE, returned: 1 });
    await fixture.vault.add(user, 'The user sings.');
    await fixture.run(user);
    await git('reset', '-q', '--hard', 'HEAD~1');
    await fixture.run(user);
    expect(await fixture.contents(user)).toEqual(['The user has a dog.', 'The user likes tea.', 'The user sings.']);
  });

  it('are too many when they are deleted bit by bit', async () => {
    const ids = [];
    for (let n = 0; n < 40; n += 1) ids.push(await fixture.vault.add(user, `The user knows fact ${n}.`));
    await fixture.run(user);
    for (const some of [ids.slice(0, 20), ids.slice(20)]) {
      for (const id of some) await fixture.remove(user, await fixture.vault.pathOf(user, id));
      await fixture.run(user);
    }
    expect(await fixture.contents(user)).toHaveLength(22);
  });

  it('are left alone where a link or a folder is in their place, once and for all', async () => {
    await fixture.remove(user, path);
    const place = join(await fixture.vault.folderOf(user), path);
    await symlink('/etc/hostname', place);
    for (let n = 0; n < 2; n += 1)
      expect((await fixture.run(user)).edits).toMatchObject({ ...NONE, isChanging: false });
    await rm(place);
    await mkdir(place);
    await writeFile(join(place, 'x'), '');
    expect((await fixture.run(user)).edits).toMatchObject({ ...NONE, isChanging: false });
    expect(await fixture.contents(user)).toHaveLength(2);
  });

  it('of another user are read as nobody’s', async () => {
    const theirs = await fixture.vault.add('somebody-else', 'The other one likes opera.');
    await fixture.run('somebody-else');
    const text = await fixture.read('somebody-else', await fixture.vault.pathOf('somebody-else', theirs));
    await fixture.put(user, 'entries/_manual/facts/given.md', text);
    const index = JSON.parse(await fixture.read(user, INDEX_PATH)) as { items: Record<string, object> };
    const stamp = null;
    index.items[theirs] = { path: 'entries/_manual/facts/y.md', blob: '0'.repeat(40), mark: '', kind: 'memory', stamp };
    await fixture.put(user, INDEX_PATH, JSON.stringify(index));
    await fixture.run(user);
    expect((await fixture.vault.found(user)).has('entries/_manual/facts/y.md')).toBe(false);
    expect(await fixture.contents('somebody-else')).toEqual(['The other one likes opera.']);
  });

  it('have what somebody noted beside what is taken over', async () => {
    await fixture.edit(user, path, 'pinned: false', 'pinned: true # since May');
    await fixture.put(user, 'entries/_manual/facts/n.md', '---\nvalid_to: 2026-02-01\n---\nThe user is away.');
    expect((await fixture.run(user)).edits).toMatchObject({ ...NONE, changed: 1, added: 1 });
    const kept = (await fixture.conflicts(user)).join();
    for (const words of ['# since May', 'valid_to: 2026-02-01']) expect(kept).toContain(words);
  });

  it('wait for a redaction that is away', async () => {
    await fixture.put(user, 'entries/_manual/facts/n.md', 'The user sings.');
    const redact = () => {
      throw new RedactionUnavailableError('The key is away.');
    };
    const loadRules = async () => ({ redact, adviseAgainst: () => null });
    expect((await fixture.run(user, { loadRules })).edits).toMatchObject(NONE);
    expect((await fixture.run(user)).edits).toMatchObject({ ...NONE, added: 1 });
  });
});
