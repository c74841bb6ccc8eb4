import { addDueBatch, post, buildMessages } from '../fixtures/post.fixture.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import type { Tx } from '../database/transaction.js';
import { claimBatch, releaseBatch, renewLease, type ClaimRequest } from './claim-batch.js';
import { loadBatchConversation } from './load-batch-conversation.js';

const LEASE_MS = 60_000;

describe('a batch lease', () => {
  let fixture: StorageFixture;
  let tenant: string;
  let batchId: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenant = await fixture.addTenant();
    batchId = await addDueBatch(fixture, tenant);
  });
  afterAll(() => fixture.close());

  const claim = (changes: Partial<ClaimRequest> = {}) => {
    const request = {
      batchId,
      generation: 1,
      kind: 'extraction' as const,
      now: fixture.clock.now(),
      leaseMs: LEASE_MS,
    };
    return fixture.inTenant(tenant, (tx) => claimBatch(tx, { ...request, ...changes }));
  };
  const claimFence = async () => {
    const claimed = await claim();
    if (claimed.outcome !== 'claimed') throw new Error(`The batch is ${claimed.outcome}.`);
    return claimed.fence;
  };
  const renew = (fence: number) =>
    fixture.inTenant(tenant, (tx) => renewLease(tx, { batchId, fence, now: fixture.clock.now(), leaseMs: LEASE_MS }));
  const release = (fence: number) => fixture.inTenant(tenant, (tx) => releaseBatch(tx, { batchId, fence }));
  const readBatch = async () => (await fixture.queryAsSuperuser('SELECT * FROM batches WHERE id = $1', [batchId]))[0]!;
  const setState = (state: string) =>
    fixture.queryAsSuperuser('UPDATE batches SET state = $2 WHERE id = $1', [batchId, state]);

  it('is granted to the first caller, with what the work needs', async () => {
    const accepted = fixture.clock.now();
    fixture.clock.advance(500);
    expect(await claim()).toEqual({
      outcome: 'claimed',
      fence: 1,
      userId: 'ada',
      conversationId: expect.any(String),
      attempts: 1,
      acceptedAt: accepted,
    });
    expect(await readBatch()).toMatchObject({
      state: 'extracting',
      started_at: new Date(fixture.clock.now()),
      lease_until: new Date(fixture.clock.now() + LEASE_MS),
      deferred_until: null,
    });
  });

  it('is held until it expires, then granted to the next caller under a higher fence', async () => {
    await claim();
    const until = fixture.clock.now() + LEASE_MS;
    fixture.clock.advance(LEASE_MS - 1);
    expect(await claim()).toEqual({ outcome: 'held', until });
    fixture.clock.advance(1);
    expect(await claim()).toMatchObject({ outcome: 'claimed', fence: 2, attempts: 2 });
  });

  it('is held, not stale, when its holder releases it during another claim', async () => {
    const fence = await claimFence();
    const result = await fixture.inTenant(tenant, (tx) => {
      let hasReleased = false;
      const each: Tx['each'] = async (statement, given) => {
        const rows = await tx.each(statement, given);
        if (!hasReleased) {
          hasReleased = true;
          await releaseBatch(tx, { batchId, fence });
        }
        return rows;
      };
      const between: Tx = { ...tx, tenantId: tx.tenantId, each, query: (sql, values) => tx.query(sql, values) };
      const request = { batchId, generation: 1, kind: 'extraction' as const, now: fixture.clock.now(), leaseMs: 1 };
      return claimBatch(between, request);
    });
    expect(result).toEqual({ outcome: 'held', until: fixture.clock.now() });
  });

  it('is granted to one of several concurrent callers', async () => {
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim()));
    expect(claims.map(({ outcome }) => outcome).toSorted()).toEqual(['claimed', ...Array<string>(5).fill('held')]);
  });

  it('is renewed by its holder only', async () => {
    const first = await claimFence();
    fixture.clock.advance(LEASE_MS - 1);
    expect(await renew(first)).toBe(true);
    fixture.clock.advance(LEASE_MS - 1);
    expect(await claim()).toMatchObject({ outcome: 'held' });
    fixture.clock.advance(1);
    const second = await claimFence();
    expect(await renew(first)).toBe(false);
    expect(await renew(second)).toBe(true);
  });

  it('is released by its holder only, and cannot be renewed after that', async () => {
    const first = await claimFence();
    fixture.clock.advance(LEASE_MS);
    const second = await claimFence();
    await release(first);
    expect(await claim()).toMatchObject({ outcome: 'held' });
    await release(second);
    expect(await renew(second)).toBe(false);
    expect(await claim()).toMatchObject({ outcome: 'claimed', fence: 3 });
  });

  it('is stale for a job of another generation', async () => {
    expect(await claim({ generation: 2 })).toEqual({ outcome: 'stale' });
    await claim();
    expect(await claim({ generation: 0 })).toEqual({ outcome: 'stale' });
  });

  it.each([
    ['queued', 'extraction', 'claimed'],
    ['deferred', 'extraction', 'claimed'],
    ['extracting', 'extraction', 'claimed'],
    ['persisting', 'extraction', 'stale'],
    ['done', 'extraction', 'stale'],
    ['failed', 'extraction', 'stale'],
    ['queued', 'persistence', 'stale'],
    ['extracting', 'persistence', 'stale'],
    ['deferred', 'persistence', 'stale'],
    ['persisting', 'persistence', 'claimed'],
    ['done', 'persistence', 'stale'],
    ['failed', 'persistence', 'stale'],
  ] as const)('lets a batch that is %s to %s: %s', async (state, kind, outcome) => {
    await setState(state);
    expect(await claim({ kind })).toMatchObject({ outcome });
  });

  it('is stale for a batch of another tenant', async () => {
    tenant = await fixture.addTenant();
    expect(await claim()).toEqual({ outcome: 'stale' });
  });

  it('seals an open batch, so that no message joins while it is being read', async () => {
    const open = await post(fixture, tenant, { threadId: 'open', messages: buildMessages(2) });
    batchId = open.batchIds[0]!;
    await claim();
    expect(await readBatch()).toMatchObject({ sealed_at: new Date(fixture.clock.now()), message_count: 2 });
    const next = await post(fixture, tenant, { threadId: 'open', messages: buildMessages(2, 2) });
    expect(next.batchIds).not.toContain(batchId);
  });

  it('is serialized with a post: each message is in the batch that is read or in the next one', async () => {
    const open = await post(fixture, tenant, { threadId: 'open', messages: buildMessages(1) });
    batchId = open.batchIds[0]!;
    const readClaimed = async () => {
      await claim();
      return fixture.inTenant(tenant, (tx) => loadBatchConversation(tx, batchId, { contextMessages: 0 }));
    };
    const [read, next] = await Promise.all([
      readClaimed(),
      post(fixture, tenant, { threadId: 'open', messages: buildMessages(1, 1) }),
    ]);
    expect(read.messages.length).toBe(next.batchIds.includes(batchId) ? 2 : 1);
    expect(await readBatch()).toMatchObject({ message_count: read.messages.length });
  });
});

describe('loadBatchConversation', () => {
  let fixture: StorageFixture;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  afterAll(() => fixture.close());

  it('returns the messages of the batch in order, and those immediately before them', async () => {
    const tenant = await fixture.addTenant();
    await post(fixture, tenant, { messages: buildMessages(5), flush: true });
    await post(fixture, tenant, { threadId: 'other', messages: buildMessages(5) });
    const { batchIds } = await post(fixture, tenant, { messages: buildMessages(3, 5), flush: true });
    await post(fixture, tenant, { messages: buildMessages(2, 8), flush: true });
    const load = (contextMessages: number) =>
      fixture.inTenant(tenant, (tx) => loadBatchConversation(tx, batchIds[0]!, { contextMessages }));
    const { messages, context } = await load(2);
    expect(messages.map((turn) => [turn.seq, turn.content])).toEqual([
      [5, 'words 5'],
      [6, 'words 6'],
      [7, 'words 7'],
    ]);
    expect(context.map((turn) => turn.seq)).toEqual([3, 4]);
    expect((await load(100)).context.map((turn) => turn.seq)).toEqual([0, 1, 2, 3, 4]);
    expect((await load(0)).context).toEqual([]);
  });

  it('leaves out context whose memories the user deleted, and hidden messages', async () => {
    const tenant = await fixture.addTenant();
    const recall = new RecallFixture(fixture, tenant);
    const all = ['Eva is ill', 'Eva has moved', 'I like tea', 'I like it hot'];
    const batch = ['She called again', 'She has moved'];
    await recall.postTurns('ada', 'main', ...all);
    const batchId = await recall.postTurns('ada', 'main', ...batch);
    const cite = async (content: string) => {
      const sources = [{ messageId: await recall.messageId('ada', content), quote: content }];
      return (await recall.write('ada', recall.observe(`${content}.`, { sources })))[0]!;
    };
    const load = async (contextMessages: number) => {
      const { messages, context } = await fixture.inTenant(tenant, (tx) =>
        loadBatchConversation(tx, batchId, { contextMessages }),
      );
      return [messages, context].map((turns) => turns.map(({ content }) => content));
    };
    await cite('I like tea');
    const toDelete = [await cite('Eva has moved'), await cite('She has moved')];
    expect(await load(9)).toEqual([batch, all]);
    await recall.write('ada', ...toDelete.map((memoryId) => ({ kind: 'delete', memoryId, by: 'user' }) as const));
    await fixture.queryAsSuperuser('UPDATE messages SET hidden_at = now() WHERE id = $1', [
      await recall.messageId('ada', 'Eva is ill'),
    ]);
    expect(await load(9)).toEqual([batch, ['I like tea', 'I like it hot']]);
    expect(await load(3)).toEqual([batch, ['I like tea', 'I like it hot']]);
  });
});
