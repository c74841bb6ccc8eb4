import { expectSameFiles } from '../projection/projection.fixture.js';
import { EditsFixture } from './edits.fixture.js';

describe('what people do to the files of a user', () => {
  let fixture: EditsFixture;
  let users = 0;
  /** Another user for each test. */
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

  const none = { changed: 0, added: 0, deleted: 0, restored: 0, refused: 0, returned: 0, withheld: 0 };

  it('is nothing at first', async () => {
    expect((await fixture.run(user)).edits).toMatchObject(none);
  });

  it('replaces a memory whose text was edited', async () => {
    await fixture.edit(user, path, 'tea', 'green tea');
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, changed: 1 });
    expect(await fixture.contents(user)).toEqual(['The user has a dog.', 'The user likes green tea.']);
    expect((await fixture.memories(user)).find(({ id }) => id === tea)).toMatchObject({
      superseded_by: expect.any(String),
    });
    expect((await fixture.actors(user)).slice(0, 2)).toEqual(['vault ADD', 'vault UPDATE']);
    await expectSameFiles(fixture.vault, user);
    expect((await fixture.run(user)).edits).toMatchObject(none);
  });

  it('changes category, importance and pin', async () => {
    await fixture.edit(user, path, /category: .*\nt/, 'category: drinks\nt');
    await fixture.edit(user, path, 'pinned: false', 'pinned: true');
    await fixture.edit(user, path, /importance: \d/, 'importance: 5');
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, changed: 1 });
    const [memory] = await fixture.memories(user);
    expect(memory).toMatchObject({ id: tea, category: 'drinks', importance: 5, pinned: true, superseded_by: null });
    await expectSameFiles(fixture.vault, user);
  });

  it('changes text and front matter at once', async () => {
    await fixture.edit(user, path, 'tea', 'coffee');
    await fixture.edit(user, path, 'pinned: false', 'pinned: true');
    await fixture.run(user);
    const held = (await fixture.memories(user)).find(({ content }) => content.includes('coffee'));
    expect(held).toMatchObject({ pinned: true, origin: 'manual' });
    await expectSameFiles(fixture.vault, user);
  });

  it('deletes a memory whose file was deleted, and restores one that was moved back', async () => {
    await fixture.remove(user, path);
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, deleted: 1 });
    expect(await fixture.contents(user)).toEqual(['The user has a dog.']);
    await expectSameFiles(fixture.vault, user);
    const tombstone = await fixture.vault.pathOf(user, tea);
    expect(tombstone).toContain('/deleted/');
    await fixture.move(user, tombstone, path);
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, restored: 1 });
    expect(await fixture.contents(user)).toHaveLength(2);
    expect((await fixture.actors(user))[0]).toBe('vault RESTORE');
    await expectSameFiles(fixture.vault, user);
    expect(await fixture.conflicts(user)).toEqual([]);
  });

  it('deletes a memory whose file was moved to the deleted ones', async () => {
    await fixture.move(user, path, path.replace('/facts/', '/deleted/facts/'));
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, deleted: 1 });
    await expectSameFiles(fixture.vault, user);
  });

  it.each([
    ['without front matter', 'The user plays chess.\n', { category: 'profile' }],
    [
      'with front matter',
      '---\ncategory: games\nimportance: 4\n---\nThe user plays chess.',
      { category: 'games', importance: 4 },
    ],
    [
      'with the line ends of Windows',
      '\uFEFF---\r\ncategory: games\r\n---\r\n\r\nThe user plays chess.\r\n',
      { category: 'games' },
    ],
  ])('adds a memory of a new file %s', async (_how, text, expected) => {
    await fixture.put(user, 'entries/_manual/facts/Chess.md', text);
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, added: 1 });
    const added = (await fixture.memories(user)).at(-1);
    expect(added).toMatchObject({ content: 'The user plays chess.', origin: 'manual', ...expected });
    await expectSameFiles(fixture.vault, user);
    expect((await fixture.run(user)).edits).toMatchObject(none);
  });

  it('adds a memory of a copy with another text, and leaves one with the same', async () => {
    const text = await fixture.read(user, path);
    await fixture.put(user, 'entries/_manual/facts/copy.md', text.replace('tea', 'cake'));
    await fixture.put(user, 'entries/_manual/facts/same.md', text);
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, added: 1 });
    expect(await fixture.contents(user)).toEqual([
      'The user has a dog.',
      'The user likes cake.',
      'The user likes tea.',
    ]);
    expect((await fixture.run(user)).edits).toMatchObject(none);
    expect(await fixture.read(user, 'entries/_manual/facts/same.md')).toBe(text);
  });

  it('puts a renamed file back', async () => {
    await fixture.move(user, path, 'entries/_manual/facts/My favourite.md');
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, returned: 1 });
    await expectSameFiles(fixture.vault, user);
  });

  it('takes over an edit of a file that was renamed as well', async () => {
    await fixture.edit(user, path, 'tea', 'cocoa');
    await fixture.move(user, path, 'entries/elsewhere/facts/My favourite.md');
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, changed: 1 });
    expect(await fixture.contents(user)).toContain('The user likes cocoa.');
    await expectSameFiles(fixture.vault, user);
  });

  it('is no change when only the form differs', async () => {
    const text = await fixture.read(user, path);
    await fixture.put(
      user,
      path,
      `\uFEFF${text.replaceAll('\n', '\r\n').replace('category: ', 'category:   ')}\r\n\r\n`,
    );
    const before = await fixture.actors(user);
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, returned: 1 });
    expect(await fixture.actors(user)).toEqual(before);
    await expectSameFiles(fixture.vault, user);
  });

  it('is redacted like everything that is written by hand', async () => {
    await fixture.edit(user, path, 'tea', 'secret');
    await fixture.run(user);
    expect(await fixture.contents(user)).toContain('The user likes [SECRET].');
    await expectSameFiles(fixture.vault, user);
  });

  it('loses to a change that the database made meanwhile, and is kept beside the file', async () => {
    await fixture.edit(user, path, 'tea', 'juice');
    await fixture.vault.supersede(user, tea, 'The user likes water.');
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, refused: 1 });
    expect(await fixture.contents(user)).toEqual(['The user has a dog.', 'The user likes water.']);
    expect(await fixture.conflicts(user)).toEqual([expect.stringContaining('juice')]);
    expect((await fixture.run(user)).edits).toMatchObject(none);
  });

  it('takes over a text, and keeps the rest, when the front matter is out of date', async () => {
    await fixture.edit(user, path, 'tea', 'juice');
    await fixture.edit(user, path, 'pinned: false', 'pinned: true');
    await fixture.vault.change(user, { kind: 'edit', memoryId: tea, patch: { importance: 1 } });
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, changed: 1 });
    const held = (await fixture.memories(user)).find(({ content }) => content.includes('juice'));
    expect(held).toMatchObject({ pinned: false, importance: 1 });
    expect(await fixture.conflicts(user)).toEqual([expect.stringContaining('pinned: true')]);
  });

  it.each([
    ['an empty text', 'The user likes tea.', ''],
    ['a merge that is not finished', 'The user likes tea.', '<<<<<<< HEAD\ntea\n=======\ncake\n>>>>>>> theirs'],
    ['a broken front matter', 'pinned: false', 'pinned: [false'],
    ['a category that is none', /category: .*/, 'category: "Not a name"'],
    ['an importance beyond five', /importance: \d/, 'importance: 9'],
    ['a field that Annals sets', /confidence: .*/, 'confidence: 0.1'],
    ['a field of its own', 'pinned: false', 'pinned: false\ntags: [drinks]'],
  ])('is not taken over with %s: the file is written again, and theirs kept beside it', async (_what, from, to) => {
    const before = await fixture.actors(user);
    await fixture.edit(user, path, from, to);
    const theirs = await fixture.read(user, path);
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, refused: 1 });
    expect(await fixture.actors(user)).toEqual(before);
    expect(await fixture.conflicts(user)).toEqual([theirs]);
    expect(await fixture.read(user, path)).toContain('The user likes tea.');
    expect((await fixture.run(user)).edits).toMatchObject(none);
  });

  it('leaves a new file that cannot be a memory, and looks at it again when it was changed', async () => {
    const place = 'entries/_manual/facts/new.md';
    await fixture.put(user, place, '---\nimportance: many\n---\n\n');
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, refused: 1 });
    expect((await fixture.run(user)).edits).toMatchObject(none);
    const told = await fixture.read(user, 'not-taken.md');
    expect(told).toContain(place);
    for (const field of ['importance', 'content']) expect(told).toContain(`  - ${field}: `);
    await fixture.put(user, place, 'The user sings.');
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, added: 1 });
    await expect(fixture.read(user, 'not-taken.md')).rejects.toThrow('ENOENT');
  });

  it('puts messages and summaries back, and keeps what was made of them', async () => {
    const [message] = await fixture.vault.post(user, 'kitchen', 'I like soup.', 'Good.');
    await fixture.vault.summarize(user, 'kitchen', 'L3', 0, 'They like soup.');
    await fixture.run(user);
    const turn = await fixture.vault.pathOf(user, message!);
    await fixture.edit(user, turn, 'soup', 'stew');
    await fixture.remove(user, 'entries/kitchen/summaries/L3/final.md');
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, returned: 2 });
    expect(await fixture.read(user, turn)).toContain('soup');
    expect(await fixture.read(user, 'entries/kitchen/summaries/L3/final.md')).toContain('They like soup.');
    expect(await fixture.conflicts(user)).toEqual([expect.stringContaining('stew')]);
    expect((await fixture.run(user)).edits).toMatchObject(none);
  });

  it('does not delete everything when the folder of all files is gone', async () => {
    await fixture.remove(user, 'entries');
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, returned: 2, withheld: 2 });
    expect(await fixture.contents(user)).toHaveLength(2);
    await expectSameFiles(fixture.vault, user);
  });

  it('waits for a checkout, and takes nothing over while another branch is out', async () => {
    await fixture.remove(user, path);
    await fixture.put(user, '.git/index.lock', '');
    await expect(fixture.run(user)).rejects.toThrow(/lock|changing the repository/);
    await fixture.remove(user, '.git/index.lock');
    await fixture.put(user, '.git/MERGE_HEAD', 'x');
    await fixture.run(user).catch(() => {});
    expect(await fixture.contents(user)).toHaveLength(2);
    await fixture.remove(user, '.git/MERGE_HEAD');
    expect((await fixture.run(user)).edits).toMatchObject({ ...none, deleted: 1 });
  });

  it('is taken over when it was the same for a while', async () => {
    await fixture.remove(user, path);
    const settle = () => fixture.put(user, path, 'half a fi');
    const { edits } = await fixture.run(user, { settle });
    expect(edits).toMatchObject({ ...none, isChanging: true });
    expect(await fixture.contents(user)).toHaveLength(2);
  });

  it('is taken over once when the worker was killed behind the transaction', async () => {
    await fixture.edit(user, path, 'tea', 'mate');
    await fixture.put(user, 'entries/_manual/facts/new.md', 'The user sings.');
    const kill = async () => {
      throw new Error('killed');
    };
    await expect(fixture.run(user, { write: { read: kill } })).rejects.toThrow('killed');
    const changes = await fixture.actors(user);
    await fixture.run(user);
    expect(await fixture.actors(user)).toEqual(changes);
    expect(await fixture.contents(user)).toEqual(['The user has a dog.', 'The user likes mate.', 'The user sings.']);
    await expectSameFiles(fixture.vault, user);
  });
});
