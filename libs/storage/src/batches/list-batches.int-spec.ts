import { addDueBatch, post, buildMessage } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { InvalidCursorError } from '../database/cursor.js';
import { failBatch, replayBatch } from './fail-and-replay.js';
import { getBatches, listBatches } from './read-batches.js';

type BatchFilters = Partial<Parameters<typeof listBatches>[1]>;

describe('listing batches', () => {
  let fixture: StorageFixture;
  let tenant: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenant = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const list = (filters: BatchFilters = {}) =>
    fixture.inTenant(tenant, (tx) => listBatches(tx, { limit: 50, agentId: null, ...filters }));
  const idsOf = async (filters: BatchFilters = {}) => (await list(filters)).items.map(({ id }) => id);
  const add = async (changes: Parameters<typeof post>[2] = {}) => {
    const { batchIds } = await post(fixture, tenant, { threadId: null, ...changes });
    return batchIds[0]!;
  };
  const fail = (batchId: string) =>
    fixture.inTenant(tenant, (tx) =>
      failBatch(tx, {
        batchId,
        kind: 'extraction',
        generation: 1,
        code: 'parsing',
        message: 'The answer could not be read.',
        now: fixture.clock.now(),
      }),
    );

  it('lists all batches of a tenant, newest first, without gap or repetition', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.unshift(await addDueBatch(fixture, tenant));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 2, cursor });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(made);
    const [all, one] = await fixture.inTenant(tenant, async (tx) => [
      (await listBatches(tx, { limit: 5, agentId: null })).items,
      await getBatches(tx, made),
    ]);
    expect(all).toEqual(one);
    await expect(list({ cursor: 'nonsense' })).rejects.toThrow(InvalidCursorError);
  });

  it('filters by user, thread and conversation', async () => {
    const ada = await add({ userId: 'ada', threadId: 'tea' });
    const bob = await add({ userId: 'bob', threadId: 'tea' });
    const other = await add({ userId: 'ada', threadId: 'coffee' });
    const { conversation_id: conversationId } = (await list({ user_id: 'bob' })).items[0]!;
    expect(await idsOf({ user_id: 'ada' })).toEqual([other, ada]);
    expect(await idsOf({ thread_id: 'tea' })).toEqual([bob, ada]);
    expect(await idsOf({ user_id: 'ada', thread_id: 'tea' })).toEqual([ada]);
    expect(await idsOf({ conversation_id: conversationId })).toEqual([bob]);
    expect(await idsOf({ conversation_id: conversationId, user_id: 'ada' })).toEqual([]);
  });

  it('lists failed batches until they are replayed', async () => {
    const [first, second] = [await addDueBatch(fixture, tenant), await addDueBatch(fixture, tenant)];
    await addDueBatch(fixture, tenant);
    for (const id of [first, second]) await fail(id);
    expect(await idsOf({ status: 'failed' })).toEqual([second, first]);
    await fixture.inTenant(tenant, (tx) => replayBatch(tx, first, fixture.clock.now(), fixture.ids));
    expect(await idsOf({ status: 'failed' })).toEqual([second]);
    expect(await idsOf({ status: 'queued' })).toContain(first);
  });

  it('filters by the agent of any message of the batch', async () => {
    const spoken = await add({ threadId: 'shared', agentId: 'clerk' });
    expect(await add({ threadId: 'shared', agentId: 'guide', messages: [buildMessage('and good bye')] })).toBe(spoken);
    await add({ agentId: 'clerk' });
    expect(await idsOf({ agentId: 'guide' })).toEqual([spoken]);
    expect(await idsOf({ agentId: 'nobody' })).toEqual([]);
  });

  // An index on the state would be updated, with all other indexes, at each stage of each batch.
  it('needs no index on the state of batches', async () => {
    const indexes = await fixture.queryAsSuperuser<{ name: string; definition: string }>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE schemaname = 'annals' AND tablename = 'batches'`,
    );
    expect(indexes.map(({ name }) => name)).toContain('batches_failed');
    expect(indexes.filter(({ definition }) => /\bstate\b/.test(definition))).toEqual([]);
  });
});
