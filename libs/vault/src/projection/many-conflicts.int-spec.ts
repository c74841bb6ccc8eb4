import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { conflictPathOf, isConflictPath } from '@annals/domain';
import { findInVault } from '../git/vault-forensics.fixture.js';
import { createTestFolder } from '../git/vault.fixture.js';
import { setAside } from './disk-file.js';
import { INDEX_PATH } from './vault-index.js';
import { ProjectionFixture } from './projection.fixture.js';

const MAX_CONFLICTS = 1_000;

describe('what is kept beside files of the vault', () => {
  let fixture: ProjectionFixture;
  let users = 0;
  /** Another user for each test. */
  let user: string;
  let tea: string;
  let secret: string;
  let path: string;
  let folder: string;

  beforeAll(async () => {
    fixture = await ProjectionFixture.open();
  });
  beforeEach(async () => {
    user = `user-${++users}`;
    tea = await fixture.add(user, 'The user likes tea.');
    secret = await fixture.add(user, 'The password is xyzzy.');
    await fixture.write(user);
    path = await fixture.pathOf(user, tea);
    folder = await fixture.folderOf(user);
  });
  afterAll(() => fixture?.close());

  const read = (place: string) => readFile(join(folder, place), 'utf8');
  const put = async (place: string, text: string) => {
    await mkdir(dirname(join(folder, place)), { recursive: true });
    await writeFile(join(folder, place), text);
  };
  const change = (importance: number) => fixture.change(user, { kind: 'edit', memoryId: tea, patch: { importance } });
  const fill = async (place: string) => {
    for (let n = 1; n <= MAX_CONFLICTS; n += 1) await put(conflictPathOf(place, n), `Note ${n}.`);
  };
  const listConflicts = async () => [...(await fixture.found(user)).keys()].filter((place) => isConflictPath(place));
  /** As a run notes it that took over a file, of which something else is in the database. */
  const noteTaken = async (place: string) => {
    const { size, mtimeMs, ino } = await stat(join(folder, place));
    const index = JSON.parse(await read(INDEX_PATH)) as { edits: { others: Record<string, object> } };
    const stamp = { size, mtimeMs, ino };
    index.edits.others[place] = { stamp, blob: '0'.repeat(40), isTaken: true, keptFor: tea, problems: [] };
    await put(INDEX_PATH, JSON.stringify(index));
  };

  it('is not kept once more when it is the same text', async () => {
    await put(path, 'Words of a person.');
    await change(1);
    expect(await fixture.write(user)).toMatchObject({ conflicts: 1, refused: 0 });
    await put(path, 'Words of a person.');
    await change(4);
    expect(await fixture.write(user)).toMatchObject({ conflicts: 0, refused: 0 });
    await put(path, 'Words of a PERSON.');
    await change(5);
    expect(await fixture.write(user)).toMatchObject({ conflicts: 1, refused: 0 });
    expect((await listConflicts()).toSorted()).toEqual([conflictPathOf(path, 2), conflictPathOf(path, 1)]);
    expect(await read(path)).toBe((await fixture.expected(user)).get(path));
  });

  it('stays in its place when there is no name left, and holds up nothing else', async () => {
    await fill(path);
    await put(path, 'Words of a person.');
    await change(1);
    await fixture.purge(user, secret);
    const coffee = await fixture.add(user, 'The user likes coffee.');
    expect(await fixture.write(user)).toMatchObject({ refused: 1, conflicts: 0, isComplete: true, hasForgotten: true });
    expect(await read(path)).toBe('Words of a person.');
    expect(await findInVault(folder, 'xyzzy')).toEqual([]);
    expect(await read(await fixture.pathOf(user, coffee))).toContain('coffee');
    await change(4);
    expect(await fixture.write(user)).toMatchObject({ refused: 1, isComplete: true });
    await rm(join(folder, conflictPathOf(path, 7)));
    await change(5);
    expect(await fixture.write(user)).toMatchObject({ refused: 0, conflicts: 1 });
    expect(await read(conflictPathOf(path, 7))).toBe('Words of a person.');
    expect(await read(path)).toBe((await fixture.expected(user)).get(path));
  });

  it('stays in its folder when its memory moved to where there is no name left', async () => {
    const deleted = path.replace('/facts/', '/deleted/facts/');
    await fill(deleted);
    await put(path, 'Words of a person.');
    await fixture.change(user, { kind: 'delete', memoryId: tea, by: 'user' });
    expect(await fixture.write(user)).toMatchObject({ refused: 0, conflicts: 1, isComplete: true });
    expect(await read(conflictPathOf(path, 1))).toBe('Words of a person.');
    expect(existsSync(join(folder, path))).toBe(false);
    expect(await read(deleted)).toContain('tea');
    fixture.clock.advance(31 * 86_400_000);
    await fixture.change(user, { kind: 'purge', memoryId: tea });
    await fixture.write(user);
    expect(await findInVault(folder, ['Words of a person.', 'likes tea', 'Note 7.'])).toEqual([]);
  });

  it('stays in its folder when it was taken from where there is no name left', async () => {
    await fill(path);
    const place = 'entries/notes/My tea.md';
    await put(place, 'Words of a person.');
    await noteTaken(place);
    expect(await fixture.write(user)).toMatchObject({ conflicts: 1, isComplete: true });
    expect(await read(conflictPathOf(place, 1))).toBe('Words of a person.');
    expect(existsSync(join(folder, place))).toBe(false);
  });

  it('is nothing when the file vanished meanwhile', async () => {
    const place = 'entries/notes/My tea.md';
    await put(place, 'Words of a person.');
    await noteTaken(place);
    await rm(join(folder, place));
    expect(await fixture.write(user)).toMatchObject({ conflicts: 0, isComplete: true });
    expect(await listConflicts()).toEqual([]);
    expect(await setAside(folder, place, path)).toBeNull();
  });

  it('is never put where a link leads', async () => {
    const outside = await createTestFolder();
    await mkdir(join(folder, 'entries/elsewhere'), { recursive: true });
    await symlink(outside, join(folder, 'entries/elsewhere/facts'));
    expect(await setAside(folder, path, 'entries/elsewhere/facts/a.md')).toEqual({ outcome: 'full' });
    expect(await readdir(outside)).toEqual([]);
  });
});
