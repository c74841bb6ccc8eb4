import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitBlobId, isConflictPath, itemIdOfPath, SeededRng } from '@annals/domain';
import { sized, TEST_SEED } from '@annals/testing';
import { findInVault } from '../git/vault-forensics.fixture.js';
import { ProjectionFixture } from './projection.fixture.js';
import { INDEX_PATH } from './vault-index.js';
import type { VaultRun } from './write-vault.js';

const CHANGES = sized(150, 1_000);
const SEEDS = sized([1, 2], [TEST_SEED, TEST_SEED + 1, TEST_SEED + 2]);
const THREADS = ['kitchen', 'Garden', 'work: plans'];

/** Applies changes of all kinds to a user, and remembers what has to be there afterwards. */
class RandomUser {
  readonly forgotten = new Set<string>();
  readonly written = new Map<string, string>();
  private readonly words = new Map<string, string>();
  private readonly memories: string[] = [];
  private readonly deleted: string[] = [];
  private readonly turns = new Map<string, string[]>();
  private count = 0;

  constructor(
    private readonly fixture: ProjectionFixture,
    private readonly userId: string,
    private readonly rng: SeededRng,
  ) {}

  async change(): Promise<void> {
    const kinds = [
      'add',
      'add',
      'say',
      'say',
      'supersede',
      'edit',
      'delete',
      'restore',
      'purge',
      'summarize',
      'write',
      'write',
      'forgetMessage',
      'forgetThread',
    ] as const;
    await this[this.pick(kinds)!]();
  }

  private pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.rng.nextFloat() * from.length)];
  }

  private word(): string {
    this.count += 1;
    return `word${this.count}x${Math.floor(this.rng.nextFloat() * 1e9)}`;
  }

  private take(from: string[]): string | undefined {
    return from.length === 0 ? undefined : from.splice(Math.floor(this.rng.nextFloat() * from.length), 1)[0];
  }

  private remember(id: string, word: string): string {
    this.words.set(id, word);
    return id;
  }

  async add(): Promise<void> {
    const word = this.word();
    const said = this.pick([...this.turns.values()].flat());
    this.memories.push(
      this.remember(
        await this.fixture.add(
          this.userId,
          `The user likes ${word}.`,
          said && this.rng.nextFloat() < 0.5 ? [said] : [],
        ),
        word,
      ),
    );
  }

  async say(): Promise<void> {
    const [thread, word] = [this.pick(THREADS)!, this.word()];
    const ids = await this.fixture.post(this.userId, thread, `I said ${word}.`);
    this.remember(ids[0]!, word);
    this.turns.set(thread, [...(this.turns.get(thread) ?? []), ...ids]);
  }

  async supersede(): Promise<void> {
    const memoryId = this.take(this.memories);
    if (memoryId === undefined) return;
    const word = this.word();
    this.memories.push(
      this.remember(await this.fixture.supersede(this.userId, memoryId, `The user likes ${word} now.`), word),
    );
  }

  async edit(): Promise<void> {
    const memoryId = this.pick(this.memories);
    const importance = 1 + Math.floor(this.rng.nextFloat() * 5);
    if (memoryId !== undefined)
      await this.fixture.change(this.userId, { kind: 'edit', memoryId, patch: { importance } });
  }

  async delete(): Promise<void> {
    const memoryId = this.take(this.memories);
    if (memoryId === undefined) return;
    await this.fixture.change(this.userId, { kind: 'delete', memoryId, by: 'user' });
    this.deleted.push(memoryId);
  }

  async restore(): Promise<void> {
    const memoryId = this.take(this.deleted);
    if (memoryId === undefined) return;
    await this.fixture.change(this.userId, { kind: 'restore', memoryId });
    this.memories.push(memoryId);
  }

  async purge(): Promise<void> {
    const memoryId = this.take(this.memories);
    if (memoryId === undefined) return;
    await this.fixture.purge(this.userId, memoryId);
    this.forgotten.add(this.words.get(memoryId)!);
  }

  async summarize(): Promise<void> {
    const thread = this.pick([...this.turns.keys()]);
    if (thread === undefined) return;
    await this.fixture.summarize(this.userId, thread, 'L3', 0, `A summary with ${this.word()}.`);
  }

  async forgetMessage(): Promise<void> {
    const thread = this.pick([...this.turns.keys()]);
    const id = thread === undefined ? undefined : this.take(this.turns.get(thread)!);
    if (id === undefined) return;
    await this.fixture.forgetMessage(id);
    this.forgotten.add(this.words.get(id)!);
  }

  async forgetThread(): Promise<void> {
    const thread = this.pick([...this.turns.keys()]);
    if (thread === undefined || this.rng.nextFloat() < 0.7) return;
    for (const id of this.turns.get(thread)!) this.forgotten.add(this.words.get(id)!);
    this.turns.delete(thread);
    await this.fixture.forgetThread(this.userId, thread);
  }

  /** Somebody writes into the file of a memory. */
  async write(): Promise<void> {
    const folder = await this.fixture.folderOf(this.userId);
    const found = await this.fixture.found(this.userId);
    const path = this.pick([...found.keys()].filter((each) => !isConflictPath(each) && each.includes('/facts/')));
    if (path === undefined) return;
    const word = this.word();
    await appendFile(join(folder, path), `${word}\n`);
    this.written.set(word, itemIdOfPath(path)!);
  }
}

describe('the files of a user after random changes and interruptions', () => {
  let fixture: ProjectionFixture;

  beforeAll(async () => {
    fixture = await ProjectionFixture.open();
  });
  afterAll(() => fixture?.close());

  it.each(SEEDS)('are what the database has, and lose nothing that somebody wrote (seed %i)', async (seed) => {
    const rng = new SeededRng(seed);
    const userId = `user-${seed}`;
    const user = new RandomUser(fixture, userId, rng);
    await user.say();
    for (let n = 0; n < CHANGES; n += 1) {
      await user.change();
      if (rng.nextFloat() < 0.3) await runOnce(fixture, userId, rng);
    }
    // Files that somebody wrote into are written again, so that both sides can be compared.
    const memories = await fixture.query<{ id: string }>(
      `SELECT id FROM memories WHERE user_id = $1 AND state = 'active' AND superseded_by IS NULL`,
      [userId],
    );
    for (const { id } of memories)
      await fixture.change(userId, { kind: 'edit', memoryId: id, patch: { importance: 2 } });
    await rm(join(await fixture.folderOf(userId), INDEX_PATH), { force: true });
    expect(await fixture.write(userId)).toMatchObject({ isComplete: true, refused: 0 });
    const [expected, found, committed, folder] = await Promise.all([
      fixture.expected(userId),
      fixture.found(userId),
      fixture.committed(userId),
      fixture.folderOf(userId),
    ]);
    const isOwn = ([path]: readonly [string, string]) => !isConflictPath(path);
    expect(Object.fromEntries([...found].filter(isOwn))).toEqual(Object.fromEntries(expected));
    expect(Object.fromEntries(committed)).toEqual(
      Object.fromEntries([...found].map(([path, text]) => [path, gitBlobId(text)])),
    );
    const gone = [...user.written].filter(([word]) => ![...found.values()].some((text) => text.includes(word)));
    const alive = new Set(
      (await fixture.query<{ id: string }>('SELECT id FROM memories WHERE user_id = $1', [userId])).map(({ id }) => id),
    );
    // Only what was written into the file of a memory that is gone for good went with it.
    expect(gone.filter(([, id]) => alive.has(id))).toEqual([]);
    expect(await findInVault(folder, [...user.forgotten])).toEqual([]);
  });
});

/** A run to the end, one that stops, one that is killed somewhere, or one without its index. */
async function runOnce(fixture: ProjectionFixture, userId: string, rng: SeededRng): Promise<void> {
  const kind = Math.floor(rng.nextFloat() * 6);
  const folder = await fixture.folderOf(userId);
  if (kind === 0) await writeFile(join(folder, INDEX_PATH), '{"format":1,');
  if (kind === 1) {
    let pages = Math.floor(rng.nextFloat() * 4);
    await fixture.write(userId, { pageSize: 3, mayGoOn: () => pages-- > 0 });
    return;
  }
  if (kind === 2) {
    let reads = Math.floor(rng.nextFloat() * 6);
    const read: VaultRun['read'] = (work) => {
      reads -= 1;
      if (reads < 0) throw new Error('killed');
      return fixture.database.readTenant(fixture.tenantId, work);
    };
    await fixture.write(userId, { pageSize: 3, read }).catch((error: Error) => expect(error.message).toBe('killed'));
    return;
  }
  await fixture.write(userId);
}
