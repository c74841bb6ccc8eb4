import { ANALYZER_VERSION } from '@annals/domain';
import { notePageOfEchoes } from '../echoes/note-earlier-echoes.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { loadSummarizableMessages } from './load-summary-subject.js';
import { readRecentActivity } from './read-recent-activity.js';
import { findSummarizedThread, readSummaries } from './read-summaries.js';
import { writeSummaries } from './write-summaries.js';

const LISBON = 'The user lives in Lisbon.';
const ECHO = 'Great that you live in Lisbon!';
const WEATHER = 'The weather is fine today.';

describe('stored summaries', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;

  beforeAll(async () => {
    fixture = await StorageFixture.open({}, { asksMinds: true });
    recall = new RecallFixture(fixture, await fixture.addTenant());
  });
  afterAll(() => fixture?.close());

  const findConversation = async (user: string, thread: string) => {
    const found = await fixture.inTenant(recall.tenantId, (tx) => findSummarizedThread(tx, user, thread));
    return found!.conversationId;
  };

  /** Stores a summary of all messages, with a sentence for each, as the worker does. */
  const summarize = async (user: string, thread: string) => {
    const conversationId = await findConversation(user, thread);
    const id = fixture.ids.next();
    await fixture.inTenant(recall.tenantId, async (tx) => {
      const messages = await loadSummarizableMessages(tx, conversationId, -1);
      const { seq: toSeq, saidAt: lastSaidAt } = messages.at(-1)!;
      const place = { tier: 'L3', position: 0, level: 'BRIEF', kind: 'conversation', recipe: 'r' } as const;
      const covered = { fromSeq: 0, toSeq, coveredTokens: 100, coveredMessages: messages.length };
      const sentences = messages.map(({ id: messageId, content }) => ({ text: content, messageIds: [messageId] }));
      const step = { ...place, ...covered, fingerprint: 'f', replaces: null };
      const made = [{ id, step, sentences, tokens: 12, provider: 'local', model: null, lastSaidAt }];
      await writeSummaries(tx, conversationId, { made, tombstones: [], now: fixture.clock.now() });
    });
    return id;
  };

  const post = (user: string, thread: string) =>
    recall.postTurns(
      user,
      thread,
      { role: 'assistant', content: ECHO, saidAt: fixture.clock.now() },
      { role: 'assistant', content: WEATHER, saidAt: fixture.clock.now() },
    );
  const forget = async (user: string, memoryId: string) => {
    fixture.clock.advance(1_000);
    await recall.write(user, { kind: 'delete', memoryId, by: 'user' });
  };
  const storedSentences = async (user: string, thread: string) => {
    const rows = await fixture.queryAsSuperuser<{ content: string }>(
      'SELECT content FROM summary_sentences WHERE conversation_id = $1 ORDER BY content',
      [await findConversation(user, thread)],
    );
    return rows.map(({ content }) => content);
  };
  const findConversationState = async (user: string, thread: string) => {
    const [row] = await fixture.queryAsSuperuser(
      `SELECT c.deletions, (SELECT y.fingerprint FROM summaries y WHERE y.conversation_id = c.id) AS fingerprint,
              EXISTS (SELECT FROM work w WHERE w.subject_id = c.id AND w.kind = 'summary') AS is_asked
         FROM conversations c WHERE c.id = $1`,
      [await findConversation(user, thread)],
    );
    return row;
  };

  it('lose the sentences of turns that repeat what is deleted, in every conversation', async () => {
    await recall.index(await recall.postTurns('ada', 'told', 'I live in Lisbon.'));
    await recall.index(await post('ada', 'repeated'));
    await recall.index(await recall.postTurns('ada', 'other', WEATHER));
    const threads = ['told', 'repeated', 'other'];
    for (const thread of threads) await summarize('ada', thread);
    const [lisbon] = await recall.remember('ada', LISBON);
    await forget('ada', lisbon!);
    expect(await Promise.all(threads.map((thread) => storedSentences('ada', thread)))).toEqual([
      [],
      [WEATHER],
      [WEATHER],
    ]);
    const isDropped = { deletions: 1, fingerprint: '', is_asked: true };
    expect(await findConversationState('ada', 'repeated')).toEqual(isDropped);
    expect(await findConversationState('ada', 'told')).toEqual(isDropped);
    expect(await findConversationState('ada', 'other')).toEqual({ deletions: 0, fingerprint: 'f', is_asked: false });
  });

  it('lose the sentences of turns that are indexed after what they repeat was deleted', async () => {
    const [lisbon] = await recall.remember('bob', LISBON);
    const batchId = await post('bob', 'late');
    await summarize('bob', 'late');
    await forget('bob', lisbon!);
    expect(await storedSentences('bob', 'late')).toEqual([ECHO, WEATHER]);
    await recall.index(batchId);
    expect(await storedSentences('bob', 'late')).toEqual([WEATHER]);
    expect(await findConversationState('bob', 'late')).toMatchObject({ deletions: 1, fingerprint: '' });
  });

  it('lose the sentences of turns whose repetition is noted in the background', async () => {
    await recall.index(await post('eve', 'earlier'));
    const [lisbon] = await recall.remember('eve', LISBON);
    await forget('eve', lisbon!);
    const conversationId = await findConversation('eve', 'earlier');
    await fixture.queryAsSuperuser('UPDATE messages SET echo_of = NULL WHERE conversation_id = $1', [conversationId]);
    await fixture.queryAsSuperuser('UPDATE users SET analyzer = $2 WHERE tenant_id = $1 AND user_id = $3', [
      recall.tenantId,
      ANALYZER_VERSION,
      'eve',
    ]);
    await summarize('eve', 'earlier');
    expect(await storedSentences('eve', 'earlier')).toEqual([ECHO, WEATHER]);
    await fixture.inTenant(recall.tenantId, (tx) =>
      notePageOfEchoes(tx, 'eve', { now: fixture.clock.now(), ids: fixture.ids }),
    );
    expect(await storedSentences('eve', 'earlier')).toEqual([WEATHER]);
    expect(await findConversationState('eve', 'earlier')).toMatchObject({ fingerprint: '' });
  });

  it('keep the three newest tombstones of each place', async () => {
    await recall.postTurns('kim', 'grows', WEATHER);
    const ids: string[] = [];
    while (ids.length < 6) ids.push(await summarize('kim', 'grows'));
    const conversationId = await findConversation('kim', 'grows');
    const kept = await fixture.inTenant(recall.tenantId, (tx) =>
      readSummaries(tx, conversationId, { tier: null, withTombstones: true, limit: 10 }),
    );
    expect(kept.map(({ id, tombstonedAt }) => [id, tombstonedAt !== null])).toEqual([
      [ids[5], false],
      [ids[4], true],
      [ids[3], true],
      [ids[2], true],
    ]);
    expect(await storedSentences('kim', 'grows')).toEqual([WEATHER, WEATHER, WEATHER, WEATHER]);
  });

  it('list as recent activity the last messages of the conversations that changed last', async () => {
    const list = async () => {
      const query = { userId: 'mia', agentId: null, threadId: null, now: fixture.clock.now(), limit: 10 };
      const entries = await fixture.inTenant(recall.tenantId, (tx) => readRecentActivity(tx, query));
      return entries.map(({ type, threadId }) => `${type} ${threadId}`);
    };
    const now = fixture.clock.now();
    const turn = { content: WEATHER, saidAt: now };
    const calls = (count: number) => Array.from({ length: count }, () => ({ ...turn, role: 'tool' as const }));
    await recall.postTurns('mia', 'told', turn);
    await summarize('mia', 'told');
    await recall.postTurns('mia', 'working', turn, ...calls(199));
    expect((await list()).toSorted()).toEqual(['summary told', 'turn working']);
    await recall.postTurns('mia', 'working', ...calls(1));
    expect(await list()).toEqual(['summary told']);
    const addConversations = (count: number) =>
      fixture.queryAsSuperuser(
        `INSERT INTO conversations (tenant_id, id, user_id, thread_id, created_at, updated_at)
         SELECT $1, gen_random_uuid(), 'mia', gen_random_uuid()::text, $2::timestamptz, $2::timestamptz
           FROM generate_series(1, $3)`,
        [recall.tenantId, new Date(now + 1_000), count],
      );
    await addConversations(98);
    expect(await list()).toEqual(['summary told']);
    await addConversations(2);
    expect(await list()).toEqual([]);
  });

  it('find the conversations that changed last by an index', async () => {
    const indexes = await fixture.queryAsSuperuser<{ definition: string }>(
      `SELECT indexdef AS definition FROM pg_indexes WHERE schemaname = 'annals' AND tablename = 'conversations'`,
    );
    expect(indexes.map(({ definition }) => definition).join()).toContain('(tenant_id, user_id, updated_at DESC)');
  });

  it('are served without the sentences of hidden turns that another process has left', async () => {
    await recall.index(await post('dan', 'left'));
    const id = await summarize('dan', 'left');
    const [lisbon] = await recall.remember('dan', LISBON);
    await forget('dan', lisbon!);
    const conversationId = await findConversation('dan', 'left');
    await fixture.queryAsSuperuser(
      `INSERT INTO summary_sentences (tenant_id, summary_id, ordinal, conversation_id, content, message_ids)
       VALUES ($1, $2, 9, $3, $4, ARRAY[$5::uuid])`,
      [recall.tenantId, id, conversationId, ECHO, await recall.messageId('dan', ECHO)],
    );
    const served = await fixture.inTenant(recall.tenantId, async (tx) => [
      ...(await readSummaries(tx, conversationId, { tier: null, withTombstones: true, limit: 10 })),
      ...(await readRecentActivity(tx, {
        userId: 'dan',
        agentId: null,
        threadId: null,
        now: fixture.clock.now(),
        limit: 10,
      })),
    ]);
    const texts = served.map((entry) => ('sentences' in entry ? entry.sentences.map(({ text }) => text) : []));
    expect(texts).toEqual([[WEATHER], [WEATHER]]);
  });
});
