import { randomBytes } from 'node:crypto';
import { readForgetRequest } from '@annals/domain';
import type { AuditFinding } from '../audit/audit-finding.js';
import { verifyAudit } from '../audit/verify-audit.js';
import { claimBatch } from '../batches/claim-batch.js';
import { completeExtraction } from '../batches/complete-extraction.js';
import { claimForExtraction } from '../fixtures/model-call.fixture.js';
import { buildMessage, post } from '../fixtures/post.fixture.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import { simulateLifecycle } from '../fixtures/simulated-lifecycle.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { forgetMessage } from './forget-message.js';
import { forgetSubject, previewForgetting } from './forget-subject.js';

const KEY = Buffer.alloc(32, 3);

describe('forgetting for good', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  let recall: RecallFixture;
  /** Of one test alone. */
  let word: string;
  let tests = 0;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenantId = await fixture.addTenant();
    recall = new RecallFixture(fixture, tenantId);
    word = `brindlewax${'abcdefgh'[tests++]!}`;
  });
  afterAll(() => fixture.close());

  const dependencies = () => ({ clock: fixture.clock, ids: fixture.ids, randomBytes });
  const ask = (text: string) => readForgetRequest(text)!;
  const forget = (userId: string, text: string, expectedDigest: string | null = null) =>
    fixture.inTenant(tenantId, (tx) =>
      forgetSubject(tx, { userId, request: ask(text), actor: 'test', expectedDigest }, dependencies()),
    );
  const preview = (userId: string, text: string) =>
    fixture.inTenant(tenantId, (tx) => previewForgetting(tx, { userId, request: ask(text), expectedDigest: null }));
  const findFaults = async () => {
    const findings: AuditFinding[] = [];
    await verifyAudit(fixture.database, { tenantId, keys: [KEY], report: (finding) => findings.push(finding) });
    return findings;
  };
  const readMessages = (conversationId: string) =>
    fixture.queryAsSuperuser<{ id: string; content: string; is_forgotten: boolean; is_hidden: boolean }>(
      `SELECT id, content, forgotten_at IS NOT NULL AS is_forgotten, hidden_at IS NOT NULL AS is_hidden
         FROM messages WHERE conversation_id = $1 ORDER BY seq`,
      [conversationId],
    );

  it('leaves the word in no table, and a history that verifies', async () => {
    await simulateLifecycle(fixture, tenantId, 'ada', word);
    expect(await fixture.findTablesContaining(word)).not.toEqual([]);
    expect(await forget('ada', `everything about ${word}`)).toMatchObject({ outcome: 'forgotten' });
    expect(
      await fixture.queryAsSuperuser('SELECT FROM messages WHERE tenant_id = $1 AND content ILIKE $2', [
        tenantId,
        `%${word}%`,
      ]),
    ).toEqual([]);
    // Ids of the caller's, the speaker's among them, a response that names no memory, and states of agents.
    const ids = new Set(
      'change_log checkpoints checkpoint_versions conversations events idempotency_keys langgraph_checkpoints langgraph_items langgraph_item_texts langgraph_threads langgraph_writes lexical_postings memory_sources messages thread_revisions'.split(
        ' ',
      ),
    );
    expect((await fixture.findTablesContaining(word)).filter((table) => !ids.has(table))).toEqual([]);
    expect(await findFaults()).toEqual([]);
  });

  it('refuses a plan that is no longer what it was, and changes nothing', async () => {
    await post(fixture, tenantId, { userId: 'ada', messages: [buildMessage(`I like ${word} tea.`)] });
    const before = await preview('ada', `everything about ${word}`);
    if (before.outcome !== 'previewed') throw new Error(before.outcome);
    await recall.remember('ada', `The user likes ${word} tea.`);
    const { digest } = before.plan;
    expect(await forget('ada', `everything about ${word}`, digest)).toEqual({ outcome: 'plan_changed' });
    expect(await fixture.findTablesContaining(word)).toContain('memories');
    const now = await preview('ada', `everything about ${word}`);
    if (now.outcome !== 'previewed') throw new Error(now.outcome);
    expect(await forget('ada', `everything about ${word}`, now.plan.digest)).toMatchObject({ outcome: 'forgotten' });
  });

  it('keeps a message without its words, which recognises the same one when it is sent again', async () => {
    const [whole, part] = [`I like ${word}.`, `I like ${word}. My cat is old.`];
    const sent = { userId: 'ada', messages: [buildMessage(whole, 'm1'), buildMessage(part, 'm2')] };
    const { conversationId } = await post(fixture, tenantId, sent);
    await forget('ada', `everything about ${word}`);
    expect(await readMessages(conversationId)).toMatchObject([
      { content: '', is_forgotten: true, is_hidden: true },
      { content: 'My cat is old.', is_forgotten: true, is_hidden: false },
    ]);
    expect(await post(fixture, tenantId, sent)).toMatchObject({ accepted: 0, duplicates: 2 });
    const imported = await post(fixture, tenantId, { ...sent, threadId: 'imported' });
    expect((await readMessages(imported.conversationId)).map(({ content }) => content)).toEqual(['', 'My cat is old.']);
    // Another user's is not.
    const other = await post(fixture, tenantId, { ...sent, userId: 'bob' });
    expect((await readMessages(other.conversationId)).map(({ content }) => content)).toEqual([whole, part]);
  });

  it('lets a batch that is under way be extracted again, of which no result can be written', async () => {
    const accepted = await post(fixture, tenantId, {
      userId: 'ada',
      windowMs: 0,
      messages: [buildMessage(`I like ${word}.`)],
    });
    const batchId = accepted.batchIds[0]!;
    const now = fixture.clock.now();
    const fence = await claimForExtraction(fixture, tenantId, batchId);
    await forget('ada', `everything about ${word}`);
    const extracted = {
      batchId,
      fence,
      now,
      provider: 'claude',
      model: 'claude-1',
      notice: null,
      answer: word,
      items: [],
    };
    const rest = { settlement: null, promptVersion: null, diagnostics: {}, prunedMessages: 0, trace: null };
    await fixture
      .inTenant(tenantId, (tx) => completeExtraction(tx, { ...extracted, ...rest }, fixture.ids))
      .catch(() => undefined);
    expect(await fixture.findTablesContaining(word)).toEqual([]);
    const claim = (generation: number) =>
      fixture.inTenant(tenantId, (tx) =>
        claimBatch(tx, { batchId, generation, kind: 'extraction', now, leaseMs: 60_000 }),
      );
    expect(await claim(1)).toEqual({ outcome: 'stale' });
    expect(await claim(2)).toMatchObject({ outcome: 'claimed', attempts: 1 });
    expect(
      await fixture.queryAsSuperuser(`SELECT kind, generation FROM work WHERE subject_id = $1`, [batchId]),
    ).toEqual([{ kind: 'extraction', generation: 2 }]);
  });

  it('forgets one message, and nothing the second time', async () => {
    const { conversationId } = await post(fixture, tenantId, {
      userId: 'ada',
      messages: [buildMessage(`I like ${word}.`), buildMessage('My cat is old.')],
    });
    const [first, second] = await readMessages(conversationId);
    const forgetFirst = () =>
      fixture.inTenant(tenantId, (tx) => forgetMessage(tx, { messageId: first!.id, actor: 'test' }, dependencies()));
    expect(await forgetFirst()).toEqual({ messageId: first!.id, memoriesDeleted: [], memoriesKept: [] });
    expect(await forgetFirst()).toBeNull();
    expect(await readMessages(conversationId)).toMatchObject([{ content: '' }, { content: second!.content }]);
    expect(await fixture.findTablesContaining(word)).toEqual([]);
  });

  it('writes nothing for a user whom nobody knows', async () => {
    expect(await forget('nobody', 'everything about tea')).toMatchObject({ outcome: 'forgotten', plan: { cuts: [] } });
    expect(await fixture.queryAsSuperuser('SELECT FROM users WHERE tenant_id = $1', [tenantId])).toEqual([]);
  });
});
