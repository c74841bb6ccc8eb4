import { runPersonsGit } from '../git/vault.fixture.js';
import { findInVault } from '../git/vault-forensics.fixture.js';
import { INDEX_PATH } from '../projection/vault-index.js';
import { EditsFixture } from './edits.fixture.js';

describe('what a vault knows of what people did', () => {
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
  const place = 'entries/_manual/facts/Untitled.md';

  it('is of one user, also where the index is of a release that only wrote files', async () => {
    await fixture.vault.add('other', 'The other one likes opera.');
    await fixture.run('other');
    for (const each of [user, 'other']) {
      const { edits: _edits, ...index } = JSON.parse(await fixture.read(each, INDEX_PATH)) as Record<string, unknown>;
      await fixture.put(each, INDEX_PATH, JSON.stringify(index));
    }
    await fixture.put(user, 'entries/_manual/facts/My divorce.md', '---\nimportance: many\n---\nSomething.');
    await fixture.run(user);
    await fixture.run('other');
    expect(await fixture.read('other', INDEX_PATH)).not.toContain('divorce');
  });

  it('does not take another note of the same name for the same one', async () => {
    for (const text of [
      'The user likes cake.',
      'The user likes dogs.',
      'T',
      'The user likes tea.',
      'The user likes rum.',
    ]) {
      await fixture.put(user, place, text);
      await fixture.run(user);
    }
    const expected = ['The user has a dog.', 'The user likes cake.', 'The user likes dogs.'];
    expect(await fixture.contents(user)).toEqual(
      [...expected, 'The user likes rum.', 'The user likes tea.', 'T'].toSorted(),
    );
  });

  it('keeps the words of who writes a file again while its deletion is taken over', async () => {
    await fixture.remove(user, path);
    const kill = async () => {
      throw new Error('killed');
    };
    await expect(fixture.run(user, { write: { read: kill } })).rejects.toThrow('killed');
    await fixture.put(user, path, 'Words of a person.');
    await fixture.run(user);
    const all = [...(await fixture.vault.found(user)).values(), ...(await fixture.contents(user))].join();
    expect(all).toContain('Words of a person.');
  });

  it('keeps what is copied and refused when the memory of it is forgotten', async () => {
    await fixture.put(
      user,
      'entries/_manual/facts/copy.md',
      (await fixture.read(user, path)).replace(/importance: \d/, 'importance: 11').replace('tea', 'own words'),
    );
    await fixture.run(user);
    await fixture.vault.purge(user, tea);
    await fixture.run(user);
    expect(await fixture.read(user, 'entries/_manual/facts/copy.md')).toContain('own words');
  });

  it('forgets also what somebody committed again, when the index is lost', async () => {
    await git('commit', '-q', '--amend', '-m', 'mine');
    await fixture.vault.purge(user, tea);
    await fixture.remove(user, INDEX_PATH);
    await fixture.run(user);
    expect(await findInVault(await fixture.vault.folderOf(user), ['likes tea'])).toEqual([]);
  });

  it('takes deletions over again behind a commit that was changed', async () => {
    await git('commit', '-q', '--amend', '-m', 'mine');
    await fixture.remove(user, path);
    expect((await fixture.run(user)).edits).toMatchObject({ returned: 1, deleted: 0 });
    await fixture.remove(user, path);
    expect((await fixture.run(user)).edits).toMatchObject({ returned: 0, deleted: 1 });
  });

  it('keeps fields that are added when a file is saved again', async () => {
    const text = await fixture.read(user, path);
    const edited = text.replace('tea', 'tea and rum');
    await fixture.put(user, path, edited);
    await fixture.run(user);
    await fixture.put(user, path, edited.replace('pinned: false', 'pinned: true\ntags: [drinks]'));
    await fixture.run(user);
    const held = (await fixture.memories(user)).find(({ content }) => content.includes('rum'));
    expect(held).toMatchObject({ pinned: true });
    expect((await fixture.conflicts(user)).join()).toContain('tags: [drinks]');
  });
});
