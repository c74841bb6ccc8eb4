import { randomBytes } from 'node:crypto';
import { notePageOfEchoes } from '../echoes/note-earlier-echoes.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import { lockConversation, writeSummaries } from '../summaries/write-summaries.js';
import { evictFromConversation, restoreEvictedTurns } from './evict.js';

const TURNS = ['I live in Lisbon.', 'Where is the heron?', 'A stork flew by', 'We drank tea', 'Ana plays chess'];
const MAX_ENTRIES = 3;

describe('turns that are evicted and put back', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;

  beforeAll(async () => {
    recall = await RecallFixture.open();
    ({ fixture } = recall);
  });
  afterAll(() => fixture.close());

  /** A thread of two batches in the index, with a summary of all of it, beside another thread. */
  const tell = async (userId: string): Promise<string> => {
    await recall.postAndIndexTurns(userId, 'told', ...TURNS.slice(0, 3));
    await recall.postAndIndexTurns(userId, 'other', 'A heron is a bird');
    await recall.postAndIndexTurns(userId, 'told', ...TURNS.slice(3));
    return fixture.inTenant(recall.tenantId, async (tx) => {
      const [row] = await tx.query<{ id: string }>(
        `SELECT id FROM conversations WHERE user_id = $1 AND thread_id = 'told'`,
        [userId],
      );
      const covered = { fromSeq: 0, toSeq: TURNS.length - 1, coveredTokens: 100, coveredMessages: TURNS.length };
      const place = { tier: 'L3', position: 0, level: 'BRIEF', kind: 'conversation', recipe: 'r' } as const;
      const step = { ...place, ...covered, fingerprint: 'f', replaces: null };
      const now = fixture.clock.now();
      const from = { sentences: [], tokens: 12, provider: 'local', model: null, lastSaidAt: now };
      await writeSummaries(tx, row!.id, { made: [{ id: fixture.ids.next(), step, ...from }], tombstones: [], now });
      return row!.id;
    });
  };
  const locked = async <T>(
    userId: string,
    conversationId: string,
    change: (...args: Parameters<typeof restoreEvictedTurns>) => Promise<T>,
  ) =>
    fixture.inTenant(recall.tenantId, async (tx) => {
      await lockConversation(tx, userId, conversationId);
      const { clock, ids } = fixture;
      return change(tx, { userId, conversationId, actor: 'key:test' }, { clock, ids, randomBytes });
    });
  const evict = (userId: string, id: string) =>
    locked(userId, id, (tx, about, dependencies) =>
      evictFromConversation(tx, { ...about, threadId: 'told' }, MAX_ENTRIES, dependencies),
    );
  const restore = (userId: string, id: string) => locked(userId, id, restoreEvictedTurns);
  /** The statistics of the user's row, and what they are the sums of. */
  const readTotals = async (userId: string) => {
    const [row] = await fixture.queryAsSuperuser<Record<'stored' | 'counted', number[]>>(
      `SELECT ARRAY [turn_count, turn_length::int] AS stored,
              (SELECT ARRAY [count(*)::int, sum(length)::int] FROM lexical_units l
                WHERE l.user_id = u.user_id AND message_id IS NOT NULL) AS counted
         FROM users u WHERE user_id = $1`,
      [userId],
    );
    return row!;
  };

  it('are in the index again when the restoration commits, as if they had never left it', async () => {
    const id = await tell('ada');
    await recall.remember('ada', 'The user keeps a heron.');
    const before = await recall.postings('ada');
    expect(await evict('ada', id)).toEqual({ turns: 2, facts: 0, waiting: 0, excess: 0 });
    expect(await recall.contents('ada', 'Lisbon')).not.toContain('I live in Lisbon.');
    expect(await restore('ada', id)).toBe(2);
    const found = await recall.find('ada', 'Lisbon');
    expect(found.isUnindexed).toBe(false);
    expect(found.candidates.map(({ content }) => content)).toContain('I live in Lisbon.');
    expect(await recall.postings('ada')).toEqual(before);
    const { stored, counted } = await readTotals('ada');
    expect(stored).toEqual(counted);
    expect(stored[0]).toBe(TURNS.length + 1);
    await recall.postAndIndexTurns('ada', 'other', 'It eats fish');
    const added = await recall.postings('ada');
    await recall.reindex('ada');
    expect(await recall.postings('ada')).toEqual(added);
  });

  it('do not say again what the user deleted meanwhile', async () => {
    const id = await tell('bob');
    const [memoryId] = await recall.remember('bob', 'The user lives in Lisbon.');
    await evict('bob', id);
    await recall.write('bob', { kind: 'delete', memoryId: memoryId!, by: 'user' });
    await restore('bob', id);
    await fixture.inTenant(recall.tenantId, (tx) =>
      notePageOfEchoes(tx, 'bob', { now: fixture.clock.now(), ids: fixture.ids }),
    );
    expect(await recall.contents('bob', 'Lisbon')).not.toContain('I live in Lisbon.');
    expect(await recall.contents('bob', 'stork')).toContain('A stork flew by');
  });
});
