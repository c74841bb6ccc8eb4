import { isConflictPath, itemIdOfPath, SeededRng } from '@annals/domain';
import { sized, TEST_SEED } from '@annals/testing';
import { EditsFixture } from './edits.fixture.js';

const EDITS = sized(40, 1_000);
const SEEDS = sized([1], [1, TEST_SEED]);

/** Somebody who changes files, and callers who change the same memories, both at random. */
class RandomSides {
  /** Words that somebody wrote into files, each of them once. */
  readonly words: string[] = [];
  /** Memories whose files somebody deleted. */
  readonly deleted = new Set<string>();
  edits = 0;
  private count = 0;

  constructor(
    private readonly fixture: EditsFixture,
    private readonly user: string,
    private readonly rng: SeededRng,
  ) {}

  chance(p: number): boolean {
    return this.rng.nextFloat() < p;
  }

  private pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.rng.nextFloat() * from.length)];
  }

  private word(): string {
    this.count += 1;
    return `w${this.count}x${Math.floor(this.rng.nextFloat() * 1e9)}`;
  }

  private wrote(): string {
    const word = this.word();
    this.words.push(word);
    return word;
  }

  /** A change through the API. */
  async changeDatabase(): Promise<void> {
    const { vault } = this.fixture;
    const held = (await this.fixture.memories(this.user)).filter((row) => row.superseded_by === null);
    const live = this.pick(held.filter(({ state }) => state === 'active'));
    const gone = this.pick(held.filter(({ state, id }) => state === 'soft_deleted' && !this.deleted.has(id)));
    const kind = this.pick(['add', 'add', 'say', 'supersede', 'edit', 'delete', 'restore'] as const)!;
    if (kind === 'add') await vault.add(this.user, `The user likes ${this.word()}.`);
    if (kind === 'say') await vault.post(this.user, this.pick(['kitchen', 'garden'])!, `I said ${this.word()}.`);
    if (kind === 'restore' && gone) await vault.change(this.user, { kind, memoryId: gone.id });
    if (!live) return;
    const importance = 1 + Math.floor(this.rng.nextFloat() * 5);
    if (kind === 'supersede') await vault.supersede(this.user, live.id, `The user likes ${this.word()} now.`);
    if (kind === 'edit') await vault.change(this.user, { kind, memoryId: live.id, patch: { importance } });
    if (kind === 'delete') await vault.change(this.user, { kind, memoryId: live.id, by: 'user' });
  }

  /** A change of a file. */
  async changeFile(): Promise<void> {
    const { fixture, user } = this;
    const files = [...(await fixture.vault.found(user)).keys()].filter((path) => !isConflictPath(path));
    const facts = files.filter((path) => path.includes('/facts/'));
    const [fact, file] = [this.pick(facts), this.pick(files)];
    this.edits += 1;
    const kinds = ['text', 'text', 'category', 'front', 'add', 'copy', 'delete', 'move', 'rename', 'touch'] as const;
    const kind = this.pick(kinds)!;
    const place = () => `entries/_manual/facts/note ${this.word()}.md`;
    if (kind === 'add' || fact === undefined || file === undefined)
      return fixture.put(user, place(), `The user plays ${this.wrote()}.\n`);
    const text = await fixture.read(user, file);
    const factText = await fixture.read(user, fact);
    if (kind === 'text') await fixture.put(user, file, `${text.trimEnd()} And ${this.wrote()}.\n`);
    if (kind === 'category') await this.replace(fact, /^category: .*$/m, (word) => `category: ${word}`);
    if (kind === 'front') await this.replace(fact, /^---\r?\n/, (word) => `---\ntags: ${word}\n`);
    if (kind === 'copy') await fixture.put(user, place(), `${factText.trimEnd()} And ${this.wrote()}.\n`);
    if (kind === 'rename') {
      // Out of the deleted ones, that restores it.
      this.deleted.delete(itemIdOfPath(fact) ?? '');
      await fixture.move(user, fact, place());
    }
    if (kind === 'touch') await fixture.put(user, file, text.replaceAll('\n', '\r\n'));
    if (kind === 'delete' || kind === 'move') await this.remove(fact, kind);
  }

  private async remove(path: string, kind: 'delete' | 'move'): Promise<void> {
    const id = itemIdOfPath(path);
    const isLive = id !== null && !path.includes('/deleted/');
    // What somebody wrote before and what was not taken over yet would be gone with the file.
    const text = await this.fixture.read(this.user, path);
    if (!isLive || this.words.some((word) => text.includes(word) && !this.isTaken(word))) return;
    this.deleted.add(id);
    if (kind === 'delete') await this.fixture.remove(this.user, path);
    else await this.fixture.move(this.user, path, path.replace('/facts/', '/deleted/facts/'));
  }

  /** Words that a run has found in the database. */
  private readonly taken = new Set<string>();

  private isTaken(word: string): boolean {
    return this.taken.has(word);
  }

  async noteTaken(): Promise<void> {
    const known = await this.knownToDatabase();
    for (const word of this.words) if (known.includes(word)) this.taken.add(word);
  }

  /** Everything that memories and their history say. */
  async knownToDatabase(): Promise<string> {
    const rows = await this.fixture.vault.query<{ text: string }>(
      `SELECT concat_ws(' ', content, category) AS text FROM memories WHERE user_id = $1
       UNION ALL SELECT concat_ws(' ', content, meta::text) FROM history WHERE user_id = $1`,
      [this.user],
    );
    return rows.map(({ text }) => text).join('\n');
  }

  private async replace(path: string, from: RegExp, toText: (word: string) => string): Promise<void> {
    const text = await this.fixture.read(this.user, path);
    // A file that is new has no front matter; and what was written there before and is nowhere else yet would be lost.
    const [former] = from.exec(text) ?? [];
    const isOverwritten = this.words.some((word) => former?.includes(word) === true && !this.isTaken(word));
    if (former !== undefined && !isOverwritten)
      await this.fixture.put(this.user, path, text.replace(from, toText(this.wrote())));
  }
}

describe('random changes of files and of the database at once', () => {
  let fixture: EditsFixture;

  beforeAll(async () => {
    fixture = await EditsFixture.open();
  });
  afterAll(() => fixture?.close());

  it.each(SEEDS)('lose nothing, and both sides agree afterwards (seed %i)', async (seed) => {
    const user = `user-${seed}`;
    const rng = new SeededRng(seed);
    const sides = new RandomSides(fixture, user, rng);
    const both = async () => {
      await sides.changeDatabase();
      if (sides.edits < EDITS) await sides.changeFile();
    };
    await fixture.vault.post(user, 'kitchen', 'I like soup.');
    await fixture.run(user);
    while (sides.edits < EDITS) {
      await both();
      if (sides.chance(0.5)) continue;
      // Also while a run is looking.
      const settle = async () => (sides.chance(0.3) ? both() : undefined);
      const kill = async () => {
        throw new Error('killed');
      };
      const run = fixture.run(user, sides.chance(0.1) ? { settle, write: { read: kill } } : { settle });
      await run.catch((error: Error) => expect(error.message).toBe('killed'));
      await sides.noteTaken();
    }
    await fixture.run(user);
    const { edits, result } = await fixture.run(user);
    expect({ ...edits, ...result }).toMatchObject({ isChanging: false, written: 0, removed: 0, refused: 0 });

    const [expected, found, committed] = await Promise.all([
      fixture.vault.expected(user),
      fixture.vault.found(user),
      fixture.vault.committed(user),
    ]);
    const own = new Map([...found].filter(([path]) => expected.has(path)));
    expect(Object.fromEntries(own)).toEqual(Object.fromEntries(expected));
    expect([...committed.keys()].filter((path) => !found.has(path))).toEqual([]);
    expect([...expected.keys()].filter((path) => !committed.has(path))).toEqual([]);

    const texts = [await sides.knownToDatabase(), ...found.values()].join('\n');
    expect(sides.words.filter((word) => !texts.includes(word))).toEqual([]);
    const memories = await fixture.memories(user);
    const isHeld = (row: { state: string; superseded_by: string | null }) =>
      row.state === 'active' && row.superseded_by === null;
    expect(memories.filter((row) => sides.deleted.has(row.id) && isHeld(row)).map(({ id }) => id)).toEqual([]);
    const held = memories.filter(isHeld).map(({ content }) => content);
    expect(held.filter((content, at) => held.indexOf(content) !== at)).toEqual([]);
  });
});
