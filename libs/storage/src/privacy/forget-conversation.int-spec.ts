import { randomBytes } from 'node:crypto';
import type { AuditFinding } from '../audit/audit-finding.js';
import { verifyAudit } from '../audit/verify-audit.js';
import { appendHistory } from '../audit/user-chain.js';
import { simulateLifecycle, type SimulatedLifecycle } from '../fixtures/simulated-lifecycle.fixture.js';
import { persistBatch } from '../fixtures/persist-batch.fixture.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { getConversation } from '../conversations/read-and-end-conversation.js';
import { getMemory, getMemoryHistory } from '../memories/read-memories.js';
import { storeIdempotent } from '../idempotency/idempotency.js';
import { forgetConversation } from './forget-conversation.js';

const KEY = Buffer.alloc(32, 3);
const WORD = 'brindlewax';

describe('forgetConversation', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  let ada: SimulatedLifecycle;
  let recall: RecallFixture;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenantId = await fixture.addTenant();
    ada = await simulateLifecycle(fixture, tenantId, 'ada', WORD);
    recall = new RecallFixture(fixture, tenantId);
  });
  afterAll(() => fixture.close());

  const forget = (conversationId: string) =>
    fixture.inTenant(tenantId, (tx) =>
      forgetConversation(
        tx,
        { conversationId, actor: 'test', acceptingRoute: 'POST /v1/conversations' },
        { clock: fixture.clock, ids: fixture.ids, randomBytes },
      ),
    );
  const read = (id: string) => fixture.inTenant(tenantId, (tx) => getMemory(tx, id));
  const historyOf = async (id: string) =>
    (await fixture.inTenant(tenantId, (tx) => getMemoryHistory(tx, id, { limit: 50 })))!.items;
  const cite = async (memoryId: string, conversationId: string) =>
    fixture.queryAsSuperuser(
      `INSERT INTO memory_sources (tenant_id, memory_id, message_id, conversation_id, user_id, thread_id, role, quote, said_at)
       SELECT m.tenant_id, $1, m.id, c.id, c.user_id, c.thread_id, m.role, 'words', m.said_at
         FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.id = $2`,
      [memoryId, conversationId],
    );

  const findFaults = async () => {
    const findings: AuditFinding[] = [];
    await verifyAudit(fixture.database, { tenantId, keys: [KEY], report: (finding) => findings.push(finding) });
    return findings;
  };

  it('deletes its messages, batches, answers and turns', async () => {
    expect(await recall.contents('ada', `${WORD} stones`)).toContain(`I collect ${WORD} stones.`);
    const forgotten = (await forget(ada.conversations[0]))!;
    expect(forgotten.counts).toMatchObject({
      messages: 1,
      batches: 1,
      extractions: 1,
      conversations: 1,
      reconciliations: 1,
    });
    expect(
      await fixture.inTenant(tenantId, (tx) => getConversation(tx, ada.conversations[0], { limit: 1 })),
    ).toBeNull();
    expect(await recall.contents('ada', `${WORD} stones`)).toEqual([`And ${WORD}.`, `The user drinks ${WORD} tea.`]);
    const found = await fixture.findTablesContaining(WORD);
    expect(found).not.toContain('extractions');
    expect(found).not.toContain('memory_sources');
    expect(
      await fixture.queryAsSuperuser('SELECT FROM lexical_units WHERE message_id IS NOT NULL AND tenant_id = $1', [
        tenantId,
      ]),
    ).toEqual([]);
    expect(await forget(ada.conversations[0])).toBeNull();
  });

  it('deletes the memories that are based on it alone, and records that in their history', async () => {
    const [first, second, byHand] = ada.memories;
    const forgotten = (await forget(ada.conversations[0]))!;
    expect(new Set(forgotten.memories_deleted)).toEqual(new Set([first, second]));
    expect(forgotten.memories_kept).toEqual([]);
    expect(await read(first!)).toMatchObject({ state: 'soft_deleted', sources: [] });
    expect((await historyOf(first!)).map(({ event }) => event)).toEqual(['DELETE', 'LINK', 'ADD']);
    expect(await read(byHand!)).toMatchObject({ state: 'active' });
    const [change] = await fixture.queryAsSuperuser(
      `SELECT event FROM change_log WHERE memory_id = $1 ORDER BY rev DESC LIMIT 1`,
      [first],
    );
    expect(change).toEqual({ event: 'deleted' });
  });

  it('records what it deletes as events of the conversation’s thread', async () => {
    const [conversation] = await fixture.queryAsSuperuser<{ thread_id: string }>(
      'SELECT thread_id FROM conversations WHERE id = $1',
      [ada.conversations[0]],
    );
    await forget(ada.conversations[0]);
    const events = await fixture.queryAsSuperuser(
      `SELECT node, memory_id, thread_id FROM events WHERE tenant_id = $1 AND op = 'delete' ORDER BY memory_id`,
      [tenantId],
    );
    const deleted = ada.memories.slice(0, 2).toSorted();
    expect(events).toEqual(deleted.map((memory_id) => ({ node: 'api', memory_id, ...conversation })));
  });

  it('deletes memories of its batches without a source: quarantined, or released since', async () => {
    const batchId = await recall.postTurns('ada', 'aside', 'She called again.');
    const observe = (content: string) =>
      recall.observe(content, { origin: 'extraction', quarantineReason: 'quote_not_found', rationale: 'So she said.' });
    const contents = ['Eva is ill.', 'Eva has moved.', 'Eva is old.'];
    const made = await persistBatch(fixture, tenantId, {
      userId: 'ada',
      batchId,
      answer: 'Eva',
      changes: contents.map(observe),
    });
    const [held, released, saidElsewhere] = made as [string, string, string];
    await recall.write('ada', ...[released, saidElsewhere].map((memoryId) => ({ kind: 'release', memoryId }) as const));
    await cite(saidElsewhere, ada.conversations[1]);
    const [asideRow] = await fixture.queryAsSuperuser<{ id: string }>(
      'SELECT conversation_id AS id FROM batches WHERE id = $1',
      [batchId],
    );
    expect(await forget(asideRow!.id)).toMatchObject({
      memories_deleted: [held, released].toSorted(),
      memories_kept: [],
    });
    const states = await Promise.all(made.map(async (memoryId) => (await read(memoryId))?.state));
    expect(states).toEqual(['soft_deleted', 'soft_deleted', 'active']);
    expect((await historyOf(saidElsewhere)).map(({ event }) => event)).toEqual(['RESTORE', 'QUARANTINE']);
  });

  it('deletes expired memories as well, so that nothing of them is restored when a message repeats them', async () => {
    const [first, second] = ada.memories;
    await recall.write('ada', { kind: 'delete', memoryId: first!, by: 'ttl' });
    await recall.write('ada', { kind: 'delete', memoryId: second!, by: 'user' });
    expect((await forget(ada.conversations[0]))!.memories_deleted).toEqual([first]);
    const said = recall.observe(`The user collects ${WORD} stones.`, { origin: 'extraction', saidAt: 9e12 });
    const [created] = await recall.write('ada', said);
    expect(created).not.toBe(first);
    expect(
      await fixture.queryAsSuperuser('SELECT state, rationale, emotional_context FROM memories WHERE id = $1', [
        created,
      ]),
    ).toEqual([{ state: 'active', rationale: null, emotional_context: null }]);
  });

  const merge = (memoryId: string, into: string) =>
    recall.write('ada', {
      kind: 'compare',
      memoryId,
      statement: recall.memory('compared before'),
      same: [{ memoryId: into, revision: 1 }],
    });
  const statesOf = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await read(id))?.state));

  it('keeps a memory into which one that was written by hand was merged, directly or not', async () => {
    const [first, second] = ada.memories as [string, string];
    const [byHand] = (await recall.remember('ada', `The user meets ${WORD}.`)) as [string];
    await merge(byHand, second);
    await merge(second, first);
    const forgotten = (await forget(ada.conversations[0]))!;
    expect([forgotten.memories_deleted, forgotten.memories_kept]).toEqual([[], [first, second].toSorted()]);
    expect(await statesOf([first, second, byHand])).toEqual(['active', 'active', 'active']);
    expect(await read(first)).toMatchObject({ sources: [] });
  });

  it('deletes merged memories that are all based on it alone, and names what it deleted', async () => {
    const [first, second] = ada.memories as [string, string];
    const [byHand] = (await recall.remember('ada', `The user meets ${WORD}.`)) as [string];
    await merge(byHand, second);
    await merge(second, first);
    await recall.write('ada', { kind: 'delete', memoryId: byHand, by: 'user' });
    const forgotten = (await forget(ada.conversations[0]))!;
    expect([forgotten.memories_deleted, forgotten.memories_kept]).toEqual([[first, second].toSorted(), []]);
    expect(await statesOf([first, second])).toEqual(['soft_deleted', 'soft_deleted']);
  });

  it('removes a source from memories with other evidence, and records that in their history', async () => {
    const [first, , byHand] = ada.memories;
    await cite(first!, ada.conversations[1]);
    await cite(byHand!, ada.conversations[0]);
    const forgotten = (await forget(ada.conversations[0]))!;
    expect(new Set(forgotten.memories_kept)).toEqual(new Set([first, byHand]));
    const kept = await read(first!);
    expect(kept).toMatchObject({ state: 'active', sources: [{ conversation_id: ada.conversations[1] }] });
    expect((await historyOf(first!))[0]).toMatchObject({ event: 'UPDATE', meta: { reason: 'source_forgotten' } });
  });

  it('deletes proposals that are based on it alone and were not answered', async () => {
    const [inIt] = await fixture.queryAsSuperuser<{ ids: string[] }>(
      'SELECT array_agg(id) AS ids FROM messages WHERE conversation_id = $1',
      [ada.conversations[0]],
    );
    const [elsewhere] = await fixture.queryAsSuperuser<{ id: string }>(
      'SELECT id FROM messages WHERE conversation_id = $1',
      [ada.conversations[1]],
    );
    await fixture.queryAsSuperuser('DELETE FROM context_proposals WHERE tenant_id = $1', [tenantId]);
    const contextId = fixture.ids.next();
    const propose = async (value: string, state: string, messageIds: readonly string[], by: string | null = null) => {
      const id = fixture.ids.next();
      await fixture.queryAsSuperuser(
        `INSERT INTO context_proposals (tenant_id, id, user_id, field, value, value_key, state, message_ids, said_at,
                                        created_at, expires_at, decided_by)
         VALUES ($1, $2, 'ada', 'tone', $3, $3, $4, $5, now(), now(), now() + interval '7 days', $6)`,
        [tenantId, id, value, state, messageIds, by],
      );
      if (by === null) return;
      const row = {
        memoryId: contextId,
        event: 'CONSENT' as const,
        oldRef: null,
        newRef: id,
        content: value,
        meta: {},
      };
      const dependencies = { clock: fixture.clock, ids: fixture.ids, randomBytes };
      await fixture.inTenant(tenantId, (tx) =>
        appendHistory(tx, { userId: 'ada', actor: 'consent', rows: [row] }, dependencies),
      );
    };
    await propose('only here', 'pending', inIt!.ids);
    await propose('here and there', 'pending', [...inIt!.ids, elsewhere!.id]);
    await propose('answered', 'accepted', inIt!.ids, 'ui');
    await propose('never answered', 'expired', inIt!.ids, 'time');
    await propose('overtaken', 'withdrawn', inIt!.ids, 'newer');
    await propose('taken back', 'withdrawn', inIt!.ids, 'chat');
    await propose('refused', 'rejected', inIt!.ids, 'ui');
    await propose('never answered elsewhere', 'expired', [elsewhere!.id], 'time');
    expect((await forget(ada.conversations[0]))!.counts).toMatchObject({ context_proposals: 3 });
    const kept = ['answered', 'here and there', 'never answered elsewhere', 'refused', 'taken back'];
    const left = await fixture.queryAsSuperuser<{ value: string }>(
      'SELECT value FROM context_proposals WHERE tenant_id = $1 ORDER BY value',
      [tenantId],
    );
    expect(left.map(({ value }) => value)).toEqual(kept);
    const audited = await fixture.queryAsSuperuser<{ content: string | null }>(
      `SELECT content FROM history WHERE tenant_id = $1 AND event = 'CONSENT' ORDER BY content`,
      [tenantId],
    );
    const decided = kept.filter((value) => value !== 'here and there');
    expect(audited.map(({ content }) => content)).toEqual([...decided, null, null]);
    expect(await findFaults()).toEqual([]);
  });

  it('deletes stored answers that mention it or a memory of it, and no others', async () => {
    const [first, , byHand] = ada.memories;
    const store = (key: string, body: object, userId = 'ada') =>
      fixture.inTenant(tenantId, (tx) =>
        storeIdempotent(tx, {
          route: 'POST /v1/memories',
          key,
          requestHmac: Buffer.alloc(32),
          status: 200,
          response: { body },
          userId,
          now: fixture.clock.now(),
        }),
      );
    await store('posted', { conversation_id: ada.conversations[0] });
    await store('replayed', { id: ada.batches[0] });
    await store('edited', { memory: { id: first, content: WORD } });
    await store('by hand', { memory: { id: byHand, content: WORD } });
    await store('other conversation', { conversation_id: ada.conversations[1] });
    await store('of another user', { id: first }, 'bob');
    expect((await forget(ada.conversations[0]))!.counts).toMatchObject({ idempotency_keys: 3 });
    const left = await fixture.queryAsSuperuser<{ key: string }>(
      'SELECT key FROM idempotency_keys WHERE tenant_id = $1 AND key <> $2 ORDER BY key',
      [tenantId, WORD],
    );
    expect(left.map(({ key }) => key)).toEqual(['by hand', 'of another user', 'other conversation']);
  });

  it('retains the reservations of its running calls', async () => {
    const held = () =>
      fixture.queryAsSuperuser('SELECT id, user_id, amount_micro_usd FROM reservations WHERE tenant_id = $1', [
        tenantId,
      ]);
    const before = await held();
    expect(before).toHaveLength(1);
    await forget(ada.conversations[1]);
    expect(await held()).toEqual(before);
  });

  it('leaves a chain that verifies', async () => {
    await cite(ada.memories[0]!, ada.conversations[1]);
    await forget(ada.conversations[0]);
    expect(await findFaults()).toEqual([]);
  });
});
