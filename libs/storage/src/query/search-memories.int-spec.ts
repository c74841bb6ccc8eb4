import { randomBytes } from 'node:crypto';
import {
  analyzeTerms,
  ManualClock,
  SeededRng,
  UuidV7Generator,
  type MemoryChange,
  type NewMemory,
} from '@annals/domain';
import { createTestDatabase, type TestDatabase } from '@annals/testing';
import { acceptMessages } from '../conversations/index.js';
import { newMemory } from '../contract/new-memory.contract.js';
import { Database } from '../database/database.js';
import { writeMemories, type ContentEmbedding } from '../memories/index.js';
import { createTenant } from '../tenants/index.js';
import { searchMemories, type MemorySearch } from './search-memories.js';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const clock = new ManualClock(START);
const ids = new UuidV7Generator(clock, new SeededRng(11));
const dependencies = { clock, ids, randomBytes: (size: number) => randomBytes(size) };
const tenantId = ids.next();
const otherTenantId = ids.next();

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = await Database.open(test.app);
  await createTenant(database, { id: tenantId, name: 'search', now: START });
  await createTenant(database, { id: otherTenantId, name: 'other', now: START });
});
afterAll(async () => {
  await database?.close();
  await test?.drop();
});

/** Two axes are enough to say what is near: tea points along the first, cities along the second. */
const vectorOf = (content: string) =>
  Float32Array.from(content.includes('tea') ? [1, 0] : content.includes('coffee') ? [0.9, 0.1] : [0, 1]);

const memory = (content: string, fields: Partial<NewMemory> = {}) =>
  newMemory(content, clock.now(), { category: 'preferences', ...fields });

async function remember(userId: string, changes: MemoryChange[], tenant = tenantId) {
  const contents = changes.flatMap((change) => ('memory' in change ? [change.memory.content] : []));
  const embeddings = new Map<string, ContentEmbedding>(
    contents.map((content) => [
      content,
      { model: 'axes', contentHash: Buffer.from(content), vector: vectorOf(content) },
    ]),
  );
  const result = await database.inTenant(tenant, (tx) =>
    writeMemories(tx, { userId, actor: 'test', node: 'api', changes, embeddings }, dependencies),
  );
  if (result.outcome !== 'applied') throw new Error(`Not applied: ${result.outcome}`);
  return result.results.map((entry) => entry.memoryId);
}

const observe = (content: string, fields?: Partial<NewMemory>): MemoryChange => ({
  kind: 'observe',
  memory: memory(content, fields),
});

function search(userId: string, question: string, extra: Partial<MemorySearch> = {}, tenant = tenantId) {
  return database.inTenant(tenant, (tx) =>
    searchMemories(tx, {
      userId,
      queryVector: vectorOf(question),
      model: 'axes',
      terms: [...analyzeTerms(question).terms.keys()],
      filters: { user_id: userId },
      categories: null,
      types: null,
      asOf: null,
      knownAt: null,
      now: clock.now(),
      limit: 10,
      ...extra,
    }),
  );
}

const contentsOf = async (result: ReturnType<typeof search>) =>
  (await result).candidates.map((candidate) => candidate.content).toSorted();

describe('searchMemories', () => {
  it('joins what is near by vector with what shares words, and scores both ways', async () => {
    await remember('s1', [
      observe('Ana likes green tea'),
      observe('Ana drinks coffee'),
      observe('Ana lives in Lisbon'),
    ]);
    const result = await search('s1', 'tea in Lisbon', { limit: 1 });
    const byContent = new Map(result.candidates.map((candidate) => [candidate.content, candidate]));
    expect(byContent.get('Ana likes green tea')).toMatchObject({ cosine: 1 });
    expect(byContent.get('Ana likes green tea')!.bm25).toBeGreaterThan(0);
    for (const candidate of result.candidates) {
      expect(candidate.cosine).not.toBeNull();
      expect(candidate.bm25).toBeLessThanOrEqual(result.bm25Ceiling);
    }
  });

  it('finds by words alone when there is no vector', async () => {
    await remember('s2', [observe('Ana plays the cello'), observe('Ana likes tea')]);
    const result = await search('s2', 'cello', { queryVector: null });
    expect(result.candidates.map((candidate) => candidate.content)).toEqual(['Ana plays the cello']);
    expect(result.candidates[0]!.cosine).toBeNull();
  });

  it('answers a question of stop words alone with what changed last', async () => {
    await remember('s3', [observe('Ana plays the cello')]);
    expect(await contentsOf(search('s3', 'what is it', { queryVector: null, terms: [] }))).toEqual([
      'Ana plays the cello',
    ]);
  });

  it('never leaves the user or the tenant', async () => {
    await remember('s4', [observe('Ana likes tea')]);
    await remember('s5', [observe('Ben likes tea')]);
    await remember('s4', [observe('Cleo likes tea')], otherTenantId);
    expect(await contentsOf(search('s4', 'tea'))).toEqual(['Ana likes tea']);
    expect(await contentsOf(search('s4', 'tea', {}, otherTenantId))).toEqual(['Cleo likes tea']);
  });

  it('applies every filter before it cuts off', async () => {
    await remember('s6', [
      ...Array.from({ length: 12 }, (_, n) => observe(`Ana likes tea number ${n}`)),
      observe('Ana likes tea in the tasks list', { category: 'tasks', importance: 5, pinned: true, type: 'episodic' }),
    ]);
    const only = ['Ana likes tea in the tasks list'];
    expect(await contentsOf(search('s6', 'tea', { categories: ['tasks'], limit: 1 }))).toEqual(only);
    expect(await contentsOf(search('s6', 'tea', { types: ['episodic'], limit: 1 }))).toEqual(only);
    expect(await contentsOf(search('s6', 'tea', { filters: { user_id: 's6', pinned: true }, limit: 1 }))).toEqual(only);
    expect(
      await contentsOf(
        search('s6', 'tea', { filters: { user_id: 's6', importance_min: 4, importance_max: 5 }, limit: 1 }),
      ),
    ).toEqual(only);
    const later = new Date(clock.now() + DAY).toISOString();
    expect(await contentsOf(search('s6', 'tea', { filters: { user_id: 's6', updated_after: later } }))).toEqual([]);
    expect(
      await contentsOf(search('s6', 'tea', { filters: { user_id: 's6', updated_before: later }, limit: 20 })),
    ).toHaveLength(13);
  });

  it('matches filters on where a memory was said, and gives that thread’s revision', async () => {
    const accepted = await database.inTenant(tenantId, (tx) =>
      acceptMessages(
        tx,
        {
          userId: 's7',
          threadId: 't1',
          agentId: 'planner',
          runId: null,
          appId: null,
          messages: [
            {
              externalId: 'm1',
              role: 'user',
              actorId: 'ana',
              content: 'I like tea',
              contentHmac: Buffer.alloc(32),
              saidAt: START,
            },
          ],
          end: false,
          flush: false,
          priority: 'interactive',
          now: clock.now(),
          windowMs: 1_000,
          maxMessages: 50,
          trace: null,
        },
        ids,
      ),
    );
    const [message] = await database.inTenant(tenantId, (tx) =>
      tx.query<{ id: string }>('SELECT id FROM messages WHERE conversation_id = $1', [accepted.conversationId]),
    );
    const sources = [{ messageId: message!.id, quote: 'I like tea' }];
    await remember('s7', [observe('Ana likes tea', { sources }), observe('Ana likes tea elsewhere')]);
    for (const filter of [
      { thread_id: 't1' },
      { agent_id: 'planner' },
      { actor_id: 'ana' },
      { role: 'user' as const },
    ]) {
      expect(await contentsOf(search('s7', 'tea', { filters: { user_id: 's7', ...filter } }))).toEqual([
        'Ana likes tea',
      ]);
    }
    expect(await contentsOf(search('s7', 'tea', { filters: { user_id: 's7', agent_id: 'stylist' } }))).toEqual([]);
    expect((await search('s7', 'tea', { filters: { user_id: 's7', thread_id: 't1' } })).revision).toBe(1);
  });

  it('answers with what ends later until it has ended', async () => {
    clock.reset(START);
    const pass = observe('Ana has a pass for the pool', { validTo: START + 10 * DAY });
    await remember('ending', [pass]);
    const find = (extra: Partial<MemorySearch> = {}) => contentsOf(search('ending', 'pool', extra));
    const at = (days: number) => new Date(START + days * DAY).toISOString();
    expect(await find()).toEqual(['Ana has a pass for the pool']);
    // Said again, it stays one memory.
    clock.reset(START + 5 * DAY);
    await remember('ending', [
      observe('Ana has a pass for the pool', { origin: 'extraction', validFrom: START + 5 * DAY }),
    ]);
    expect(await find()).toEqual(['Ana has a pass for the pool']);
    expect(await find({ knownAt: at(6) })).toEqual(['Ana has a pass for the pool']);
    clock.reset(START + 10 * DAY);
    expect(await find()).toEqual([]);
    expect(await find({ asOf: at(9) })).toEqual(['Ana has a pass for the pool']);
    expect(await find({ knownAt: at(11) })).toEqual([]);
  });

  it('tells what holds now, what held then, and what was known then', async () => {
    clock.reset(START);
    const [berlin] = await remember('s8', [observe('Ana lives in Berlin', { validFrom: START - 100 * DAY })]);
    clock.reset(START + 10 * DAY);
    const moved = memory('Ana lives in Munich', { validFrom: START - 10 * DAY });
    await remember('s8', [{ kind: 'supersede', memoryId: berlin!, memory: moved }]);
    const at = (days: number) => new Date(START + days * DAY).toISOString();
    const where = (extra: Partial<MemorySearch>) => contentsOf(search('s8', 'where does Ana live', extra));
    expect(await where({})).toEqual(['Ana lives in Munich']);
    expect(await where({ asOf: at(-50) })).toEqual(['Ana lives in Berlin']);
    expect(await where({ asOf: at(-5) })).toEqual(['Ana lives in Munich']);
    expect(await where({ asOf: at(-200) })).toEqual([]);
    // Five days in, the move had happened but nobody had told.
    expect(await where({ knownAt: at(5) })).toEqual(['Ana lives in Berlin']);
    expect(await where({ asOf: at(-5), knownAt: at(5) })).toEqual(['Ana lives in Berlin']);
    expect(await where({ knownAt: at(11) })).toEqual(['Ana lives in Munich']);
  });

  it('serves neither what was deleted nor what is in quarantine', async () => {
    const [id] = await remember('s9', [
      observe('Ana likes tea'),
      observe('Ana owns a tea house', { quarantineReason: 'quote_not_found' }),
    ]);
    expect(await contentsOf(search('s9', 'tea'))).toEqual(['Ana likes tea']);
    await remember('s9', [{ kind: 'delete', memoryId: id!, by: 'user' }]);
    expect(await contentsOf(search('s9', 'tea'))).toEqual([]);
  });
});
