import { appendFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { expectSameFiles, ProjectionFixture } from './projection.fixture.js';
import { VaultTakenError } from './vault-index.js';

const stamp = String.raw`\d{8}T\d{6}\.\d{3}Z`;
const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

describe('the files of a user', () => {
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

  const read = async (path: string) => {
    const text = await readFile(join(await fixture.folderOf(user), path), 'utf8');
    const [, front = '', body = ''] = /^---\n([^]*?)---\n\n([^]*)\n$/.exec(text) ?? [];
    return { fields: parse(front) as Record<string, unknown>, body };
  };
  const pathsOf = async (userId = user) => [...(await fixture.found(userId)).keys()].toSorted();
  const pathOf = (itemId: string) => fixture.pathOf(user, itemId);
  const expectSame = () => expectSameFiles(fixture, user);

  it('lie where the layout has them: facts, turns, summaries, tombstones', async () => {
    const [said, answered] = await fixture.post(user, 'kitchen', 'I live in Lisbon.', 'Noted.');
    const old = await fixture.add(user, 'The user lives in Lisbon.', [said!]);
    const next = await fixture.supersede(user, old, 'The user lives in Porto.');
    const gone = await fixture.add(user, 'The user has a dog.', [answered!]);
    await fixture.change(user, { kind: 'delete', memoryId: gone, by: 'user' });
    for (const [tier, position] of [
      ['L1', 0],
      ['L1', 1],
      ['L2', 0],
      ['L3', 0],
    ] as const)
      await fixture.summarize(user, 'kitchen', tier, position, `About ${tier}, ${position}.`);
    const replaced = await fixture.summarize(user, 'kitchen', 'L3', 0, 'The whole.');
    await fixture.write(user);
    const paths = await pathsOf();
    const patterns = [
      `kitchen/facts/${stamp}__${next}.md`,
      `kitchen/deleted/facts/${stamp}__${old}.md`,
      `kitchen/deleted/facts/${stamp}__${gone}.md`,
      `kitchen/deleted/summaries/L3/final__${stamp}__${id}.md`,
      'kitchen/summaries/L1/chunk_0.md',
      'kitchen/summaries/L1/chunk_1.md',
      'kitchen/summaries/L2/group_0.md',
      'kitchen/summaries/L3/final.md',
      // The message that a deleted memory rests on is shown to nobody any more.
      `kitchen/(?:deleted/)?turns/assistant/${stamp}__${answered}.md`,
      `kitchen/turns/user/${stamp}__${said}.md`,
    ];
    expect(paths).toHaveLength(patterns.length);
    for (const pattern of patterns)
      expect(paths.filter((path) => new RegExp(`^entries/${pattern}$`).test(path))).toHaveLength(1);
    await expectSame();
    expect((await read('entries/kitchen/summaries/L3/final.md')).fields['id']).toBe(replaced);
  });

  it('have the front matter that tells what they are', async () => {
    const [said] = await fixture.post(user, 'kitchen', 'I live in Lisbon.');
    const old = await fixture.add(user, 'The user lives in Lisbon.', [said!]);
    const next = await fixture.supersede(user, old, 'The user lives in Porto.');
    await fixture.summarize(user, 'kitchen', 'L1', 0, 'Somebody moved.');
    await fixture.write(user);
    const tombstone = await read(await pathOf(old));
    expect(tombstone).toMatchObject({
      fields: { id: old, role: 'memory', conversation_id: 'kitchen', replaced_by: next, sources: [said], revision: 2 },
      body: 'The user lives in Lisbon.',
    });
    expect(Object.keys(tombstone.fields).slice(0, 5)).toEqual([
      'id',
      'role',
      'conversation_id',
      'created_at',
      'replaced_by',
    ]);
    expect(tombstone.fields['created_at']).toMatch(/^2026-01-\d\dT[\d:]+\.\d{3}Z$/);
    const fact = await read(await pathOf(next));
    expect(fact.fields).toMatchObject({
      category: 'profile',
      importance: 3,
      confidence: 0.8,
      pinned: false,
      origin: 'manual',
    });
    expect(fact.fields).not.toHaveProperty('replaced_by');
    expect((await read(await pathOf(said!))).fields).toMatchObject({
      id: said,
      role: 'user',
      conversation_id: 'kitchen',
      seq: 0,
    });
    expect((await read('entries/kitchen/summaries/L1/chunk_0.md')).fields).toMatchObject({
      role: 'summary',
      summary_kind: 'L1',
      compression: { covered_tokens: 3_000, summary_tokens: 300, ratio: 0.1, target_ratio: 0.12, meets_target: true },
    });
  });

  it('are committed once for each set of changes, and not touched without one', async () => {
    await fixture.post(user, 'kitchen', 'Hello.');
    await fixture.add(user, 'The user says hello.');
    expect(await fixture.write(user)).toMatchObject({ written: 2, removed: 0, commits: 1, isComplete: true });
    expect(await fixture.write(user)).toMatchObject({ written: 0, removed: 0, commits: 0, isComplete: true });
    await fixture.add(user, 'The user says goodbye.');
    expect(await fixture.write(user)).toMatchObject({ written: 1, commits: 1 });
  });

  it('follow a memory to the thread that said it last', async () => {
    const [first] = await fixture.post(user, 'first', 'I have a dog.');
    const memoryId = await fixture.add(user, 'The user has a dog.', [first!]);
    await fixture.write(user);
    expect(await pathOf(memoryId)).toMatch(/^entries\/first\//);
    const [second] = await fixture.post(user, 'second', 'I still have a dog.');
    await fixture.add(user, 'The user has a dog.', [second!]);
    await fixture.write(user);
    expect(await pathOf(memoryId)).toMatch(/^entries\/second\//);
    await expectSame();
  });

  it('have names that differ where the ids do, whatever is in them', async () => {
    const threads = [
      'Case',
      'case',
      '../../up',
      '.hidden',
      '_manual',
      'CON',
      'con.md',
      'a/b',
      'a b',
      'ж',
      '日本',
      'x'.repeat(128),
      `${'x'.repeat(127)}y`,
      '-',
      'trailing.',
      '🙂',
    ];
    for (const thread of threads) await fixture.post(user, thread, `In ${thread}.`);
    await fixture.write(user);
    const folders = new Set((await pathsOf()).map((path) => path.split('/')[1]!.toLowerCase()));
    expect(folders.size).toBe(threads.length);
    for (const folder of folders) expect(folder).toMatch(/^[a-z0-9][a-z0-9._~-]{0,80}$/);
    await expectSame();
  });

  it('lose no word that somebody wrote into them: it is kept beside the file, and in the history', async () => {
    const memoryId = await fixture.add(user, 'The user has a dog.');
    await fixture.write(user);
    const [folder, path] = await Promise.all([fixture.folderOf(user), pathOf(memoryId)]);
    await appendFile(join(folder, path), 'And a cat.\n');
    await fixture.change(user, { kind: 'edit', memoryId, patch: { importance: 5 } });
    expect(await fixture.write(user)).toMatchObject({ written: 1, conflicts: 1 });
    const kept = await readFile(join(folder, path.replace('.md', '.conflict.md')), 'utf8');
    expect(kept).toContain('And a cat.');
    expect(await read(path)).toMatchObject({ fields: { importance: 5 }, body: 'The user has a dog.' });
    expect([...(await fixture.committed(user)).keys()]).toContain(path.replace('.md', '.conflict.md'));
    // A file that moves away from what somebody made of it.
    await appendFile(join(folder, path), 'And a bird.\n');
    await fixture.change(user, { kind: 'delete', memoryId, by: 'user' });
    expect(await fixture.write(user)).toMatchObject({ conflicts: 1 });
    const files = await fixture.found(user);
    expect([...files.values()].filter((text) => text.includes('And a bird.'))).toHaveLength(1);
  });

  it('are written through no link, and not over a folder', async () => {
    const memoryId = await fixture.add(user, 'The user has a dog.');
    await fixture.write(user);
    const [folder, path] = await Promise.all([fixture.folderOf(user), pathOf(memoryId)]);
    const outside = join(fixture.root, `outside-${user}`);
    await mkdir(outside);
    await rm(join(folder, dirname(path)), { recursive: true });
    await symlink(outside, join(folder, dirname(path)));
    await fixture.change(user, { kind: 'edit', memoryId, patch: { importance: 5 } });
    expect(await fixture.write(user)).toMatchObject({ refused: 1 });
    await rm(join(folder, dirname(path)));
    expect(await fixture.write(user)).toMatchObject({ refused: 0, isComplete: true });
  });

  it('show images and HTML as text, and nothing else differently', async () => {
    const content = 'See ![a](https://example.org/x.png), <img src=x>, \\<b>, a < b, `x![y]`, --- and\n---\nlines.';
    const [turn] = await fixture.post(user, 'kitchen', content);
    await fixture.write(user);
    const { body } = await read(await pathOf(turn!));
    expect(body).toBe(
      'See !\\[a](https://example.org/x.png), &lt;img src=x>, \\&lt;b>, a < b, `x!\\[y]`, --- and\n---\nlines.',
    );
  });

  it('are gone on with where a run stopped, and by one worker at a time', async () => {
    for (let n = 0; n < 12; n += 1) await fixture.post(user, `thread-${n}`, `Hello ${n}.`);
    let pages = 0;
    expect(await fixture.write(user, { pageSize: 1, mayGoOn: () => ++pages <= 5 })).toMatchObject({
      isComplete: false,
      written: 5,
    });
    expect(await fixture.write(user)).toMatchObject({ isComplete: true, written: 7 });
    await expectSame();
    await fixture.add(user, 'The user likes tea.');
    const overtaken = fixture.write(user, {
      mayGoOn: () => true,
      read: async (work) => {
        await writeFile(join(await fixture.folderOf(user), '.annals/writer'), 'another');
        return fixture.database.readTenant(fixture.tenantId, work);
      },
    });
    await expect(overtaken).rejects.toThrow(VaultTakenError);
  });
});
