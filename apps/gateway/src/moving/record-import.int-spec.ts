import type { ErasureReceipt, ExportLine, Memory, MemoryWritten, RecordsImported } from '@annals/contracts';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
import { BOAT, comparable, HOW_TO, idOf, LISBON, MOVED, PORTO, TEA, THREAD, UNSURE } from './records.fixture.js';

const AT = '2024-07-01T10:00:00.000Z';
const NEW_FACT = {
  id: idOf(70),
  content: 'The user plays chess.',
  category: 'interests',
  valid_from: AT,
  recorded_at: AT,
};

describe('the import of records', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  let tenants = 0;
  const makeKey = async () => {
    const tenantId = await gateway.makeTenant(`moved-${++tenants}`);
    return { tenantId, key: await gateway.makeKey({ tenantId }) };
  };
  const send = (key: string, user: string, body: object, query = '') =>
    gateway.send<RecordsImported>(key, 'POST', `/v1/users/${user}/import${query}`, { body });
  const take = async (key: string, user: string, body: object, query = '') => {
    const answer = await send(key, user, body, query);
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const exportOf = async (key: string, user: string): Promise<ExportLine[]> => {
    const { body } = await gateway.send<{ text: string }>(key, 'GET', `/v1/users/${user}/export`);
    return body.text
      .trimEnd()
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line) as ExportLine);
  };
  const memoriesOf = async (key: string, user: string) =>
    (await exportOf(key, user)).filter(({ kind }) => kind === 'memory').map(({ data }) => data);

  it('keeps ids, texts, times, supersession and sources, and takes nothing twice', async () => {
    const { key } = await makeKey();
    const first = await take(key, 'ann', MOVED);
    expect(first.counts).toEqual({
      user_context: { taken: 0, already_there: 0, refused: 0 },
      conversations: { taken: 1, already_there: 0, refused: 0 },
      messages: { taken: 4, already_there: 0, refused: 0 },
      memories: { taken: 6, already_there: 0, refused: 0 },
    });
    expect(first.memories.map(({ id, pending }) => [id, pending])).toEqual(
      [LISBON, PORTO, TEA, BOAT, UNSURE, HOW_TO].map((id) => [id, undefined]),
    );
    const before = await exportOf(key, 'ann');
    const again = await take(key, 'ann', MOVED);
    expect(again.counts).toEqual({
      user_context: { taken: 0, already_there: 0, refused: 0 },
      conversations: { taken: 0, already_there: 1, refused: 0 },
      messages: { taken: 0, already_there: 4, refused: 0 },
      memories: { taken: 0, already_there: 6, refused: 0 },
    });
    expect(comparable(await exportOf(key, 'ann'))).toEqual(comparable(before));
    const lisbon = await gateway.send<Memory>(key, 'GET', `/v1/memories/${LISBON}`);
    expect(lisbon.body).toMatchObject({
      superseded_by: PORTO,
      valid_from: '2024-03-01T10:00:00.000Z',
      valid_to: '2024-05-02T10:00:00.000Z',
      recorded_at: '2024-03-02T10:00:00.000Z',
      sources: [{ message_id: idOf(11), external_id: 'm1', thread_id: 'holidays', quote: 'I live in Lisbon.' }],
      provenance: { provider: 'local', model: 'rules' },
    });
  });

  it('gives the same records under another tenant and user, by way of an export', async () => {
    const [from, to] = [await makeKey(), await makeKey()];
    await take(from.key, 'ann', MOVED);
    const exported = await exportOf(from.key, 'ann');
    await take(to.key, 'bea', MOVED);
    expect(comparable(await exportOf(to.key, 'bea'))).toEqual(comparable(exported));
    expect(await gateway.send(to.key, 'GET', '/v1/users/ann/export')).toMatchObject({ status: 404 });
  });

  it('extracts nothing from imported messages, and finds them', async () => {
    const { key, tenantId } = await makeKey();
    await take(key, 'ann', MOVED);
    const [row] = await gateway.database.inTenant(tenantId, (tx) =>
      tx.query<{ work: number; done: number }>(
        `SELECT (SELECT count(*)::int FROM work WHERE kind = 'extraction') AS work,
                (SELECT count(*)::int FROM batches WHERE state = 'done') AS done`,
      ),
    );
    expect(row).toEqual({ work: 0, done: 1 });
    const conversation = await gateway.send<{ messages: unknown[] }>(key, 'GET', `/v1/conversations/${THREAD}`);
    expect(conversation.body.messages).toHaveLength(4);
  });

  it('links what comes later: in whatever order records are sent', async () => {
    const { key } = await makeKey();
    const [lisbon, porto, tea] = MOVED.memories!;
    const alone = await take(key, 'ann', { conversations: MOVED.conversations, memories: [lisbon] });
    expect(alone.memories[0]).toMatchObject({ outcome: 'taken', pending: ['superseded_by'] });
    expect((await take(key, 'ann', { memories: [porto] })).memories[0]!.pending).toEqual(['relations']);
    await take(key, 'ann', { memories: [tea] });
    const last = await take(key, 'ann', { memories: [lisbon, porto] });
    expect(last.memories).toEqual([
      { outcome: 'already_there', id: LISBON },
      { outcome: 'already_there', id: PORTO },
    ]);
    const found = await gateway.send<Memory>(key, 'GET', `/v1/memories/${LISBON}`);
    expect(found.body).toMatchObject({ superseded_by: PORTO, revision: 2 });
    const related = await gateway.send<{ items: unknown[] }>(key, 'GET', `/v1/memories/${PORTO}/related`);
    expect(JSON.stringify(related.body)).toContain(TEA);
  });

  it('gives another user of the tenant other ids, and always the same ones', async () => {
    const { key } = await makeKey();
    await take(key, 'ann', MOVED);
    const first = await take(key, 'bob', MOVED);
    expect(first.counts.memories.taken).toBe(6);
    expect(first.memories.map(({ id }) => id)).not.toContain(LISBON);
    const again = await take(key, 'bob', MOVED);
    expect(again.memories.map(({ id }) => id)).toEqual(first.memories.map(({ id }) => id));
    expect(again.counts.memories).toEqual({ taken: 0, already_there: 6, refused: 0 });
    const lisbon = (await memoriesOf(key, 'bob')).find(({ content }) => content === 'The user lives in Lisbon.');
    expect(lisbon).toMatchObject({ superseded_by: first.memories[1]!.id, sources: [{ quote: 'I live in Lisbon.' }] });
    expect(await memoriesOf(key, 'ann')).toHaveLength(6);
  });

  it('takes the same records for several users at once', async () => {
    const { key } = await makeKey();
    const users = Array.from({ length: 6 }, (_, index) => `user-${index}`);
    const answers = await Promise.all(users.map((user) => take(key, user, MOVED)));
    for (const { counts } of answers) {
      expect([counts.conversations.taken, counts.messages.taken, counts.memories.taken]).toEqual([1, 4, 6]);
    }
    expect(new Set(answers.flatMap(({ memories }) => memories.map(({ id }) => id))).size).toBe(36);
  });

  it('neither overwrites nor reveals what another tenant has under the id', async () => {
    const [one, two] = [await makeKey(), await makeKey()];
    await take(one.key, 'ann', MOVED);
    const other = { ...NEW_FACT, id: LISBON };
    expect((await take(two.key, 'eve', { memories: [other] })).memories[0]).toEqual({ outcome: 'taken', id: LISBON });
    const mine = await gateway.send<Memory>(one.key, 'GET', `/v1/memories/${LISBON}`);
    expect(mine.body.content).toBe('The user lives in Lisbon.');
  });

  it('marks what rests on no message, and refuses what only claims to be said', async () => {
    const { key } = await makeKey();
    const body = {
      source: 'mem0',
      memories: [
        { ...NEW_FACT, id: 'not a uuid' },
        { ...NEW_FACT, id: idOf(71), content: 'The user sings.', origin: 'extraction' },
        {
          ...NEW_FACT,
          id: idOf(72),
          content: 'The user paints.',
          origin: 'extraction',
          sources: [{ message_id: idOf(11), quote: 'I paint.' }],
        },
      ],
    };
    const answer = await take(key, 'ann', body);
    expect(answer.memories.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['taken', undefined],
      ['refused', 'not_grounded'],
      ['refused', 'sources_missing'],
    ]);
    const [memory] = await memoriesOf(key, 'ann');
    expect(memory).toMatchObject({ origin: 'manual', provider: 'import:mem0', sources: [] });
    const quoted = { ...body.memories[2]!, sources: [{ message_id: idOf(11), quote: 'I paint.' }] };
    const grounded = await take(key, 'ann', { conversations: MOVED.conversations, memories: [quoted] });
    expect(grounded.memories[0]).toMatchObject({ outcome: 'refused', code: 'not_grounded' });
  });

  it('does not bring back what was deleted, forgotten or erased here', async () => {
    const { key, tenantId } = await makeKey();
    await take(key, 'ann', MOVED);
    await gateway.send(key, 'DELETE', `/v1/memories/${BOAT}`);
    const deleted = await gateway.send(key, 'DELETE', `/v1/memories/${TEA}`);
    expect(deleted.status).toBe(200);
    const copy = { ...MOVED.memories![2]!, id: idOf(73) };
    const forget = { user_id: 'ann', text: 'forget that I live in Porto', dry_run: true };
    const planned = await gateway.send<{ plan: string }>(key, 'POST', '/v1/memories/forget', { body: forget });
    const done = await gateway.send(key, 'POST', '/v1/memories/forget', {
      body: { ...forget, dry_run: false, plan: planned.body.plan },
    });
    expect(done.status).toBe(200);
    const answer = await take(key, 'ann', { memories: [...MOVED.memories!.slice(0, 3), copy] });
    expect(answer.memories.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['already_there', undefined],
      ['refused', 'forgotten'],
      ['refused', 'deleted'],
      ['refused', 'deleted'],
    ]);
    await gateway.send(key, 'DELETE', `/v1/conversations/${THREAD}`);
    const conversation = await take(key, 'ann', { conversations: MOVED.conversations });
    expect(conversation.conversations[0]).toMatchObject({ outcome: 'refused', code: 'forgotten' });

    expect((await gateway.send<ErasureReceipt>(key, 'DELETE', '/v1/users/ann')).status).toBe(200);
    const erased = await take(key, 'ann', { ...MOVED, memories: [...MOVED.memories!, NEW_FACT] });
    expect(erased.counts.memories).toEqual({ taken: 0, already_there: 0, refused: 7 });
    expect(erased.counts.messages).toEqual({ taken: 0, already_there: 0, refused: 4 });
    expect(await memoriesOf(key, 'ann')).toEqual([]);
    const known = await gateway.database.inTenant(tenantId, (tx) =>
      tx.query(`SELECT FROM users WHERE user_id = 'ann'`),
    );
    expect(known).toEqual([]);
  });

  it('does not bring back words that were forgotten here under another id, or messages of a deleted thread', async () => {
    const { key } = await makeKey();
    const add = { user_id: 'ann', content: NEW_FACT.content, category: 'interests' };
    const { memory } = (await gateway.send<MemoryWritten>(key, 'POST', '/v1/memories', { body: add })).body;
    expect((await take(key, 'ann', { memories: [NEW_FACT] })).memories[0]).toEqual({
      outcome: 'already_there',
      id: memory.id,
    });
    const forget = { user_id: 'ann', text: 'forget that I play chess', dry_run: true };
    const planned = await gateway.send<{ plan: string }>(key, 'POST', '/v1/memories/forget', { body: forget });
    const done = await gateway.send(key, 'POST', '/v1/memories/forget', {
      body: { ...forget, dry_run: false, plan: planned.body.plan },
    });
    expect(done.status).toBe(200);
    const again = await take(key, 'ann', { memories: [NEW_FACT, { ...NEW_FACT, id: idOf(90) }] });
    expect(again.memories.map(({ code }) => code)).toEqual(['forgotten', 'forgotten']);
    const later = { ...NEW_FACT, id: idOf(91), recorded_at: new Date().toISOString() };
    expect((await take(key, 'ann', { memories: [later] })).memories[0]!.outcome).toBe('taken');

    const posted = await gateway.send<{ conversation_id: string }>(key, 'POST', '/v1/conversations', {
      body: { user_id: 'ann', thread_id: 'th', messages: [{ role: 'user', content: 'Hello.' }] },
    });
    const said = { role: 'user', content: 'I have diabetes.', created_at: AT };
    const moved = { id: idOf(92), thread_id: 'th', created_at: AT, messages: [{ ...said, id: idOf(93) }] };
    expect((await take(key, 'ann', { conversations: [moved] })).counts.messages.taken).toBe(1);
    await gateway.send(key, 'DELETE', `/v1/conversations/${posted.body.conversation_id}`);
    const back = await take(key, 'ann', { conversations: [moved] });
    expect(back.conversations[0]).toMatchObject({ code: 'forgotten', messages: [{ code: 'forgotten' }] });
    expect(JSON.stringify(await exportOf(key, 'ann'))).not.toContain('diabetes');
  });

  it('gives its sources to a memory with the same words, once', async () => {
    const { key } = await makeKey();
    const add = { user_id: 'ann', content: 'The user likes green tea.', category: 'preferences' };
    const { memory } = (await gateway.send<MemoryWritten>(key, 'POST', '/v1/memories', { body: add })).body;
    const records = { conversations: MOVED.conversations, memories: [MOVED.memories![2]] };
    const first = await take(key, 'ann', records);
    expect(first.memories[0]).toEqual({ outcome: 'already_there', id: memory.id });
    expect((await memoriesOf(key, 'ann'))[0]).toMatchObject({ sources: [{ message_id: idOf(11) }] });
    const kinds = ['memory', 'change', 'history'];
    const linesOf = async () => (await exportOf(key, 'ann')).filter(({ kind }) => kinds.includes(kind));
    const before = await linesOf();
    await take(key, 'ann', records);
    expect(await linesOf()).toEqual(before);
  });

  it('says that something is there with another text, which stays', async () => {
    const { key } = await makeKey();
    const said = { role: 'user', content: 'I play chess.', created_at: AT };
    await gateway.send(key, 'POST', '/v1/conversations', {
      body: { user_id: 'ann', thread_id: 'th', messages: [{ ...said, id: 'm1' }] },
    });
    await take(key, 'ann', { memories: [NEW_FACT] });
    const messages = [
      { ...said, id: idOf(94), external_id: 'm1' },
      { ...said, id: idOf(95), external_id: 'm1', content: 'I play go.' },
    ];
    const answer = await take(key, 'ann', {
      conversations: [{ id: idOf(96), thread_id: 'th', created_at: AT, messages }],
      memories: [{ ...NEW_FACT, content: 'The user plays go.' }],
    });
    expect(answer.conversations[0]!.messages.map(({ outcome, differs }) => [outcome, differs])).toEqual([
      ['already_there', undefined],
      ['already_there', true],
    ]);
    expect(answer.memories[0]).toEqual({ outcome: 'already_there', id: NEW_FACT.id, differs: true });
    expect((await memoriesOf(key, 'ann'))[0]).toMatchObject({ content: NEW_FACT.content });
  });

  it('stores a message without the words that were forgotten of it here', async () => {
    const { key } = await makeKey();
    const said = (content: string) => ({ role: 'user', content, created_at: AT });
    const posted = await gateway.send<{ conversation_id: string }>(key, 'POST', '/v1/conversations', {
      body: { user_id: 'ann', thread_id: 'here', messages: [{ ...said('My code is 4711.'), id: 'm1' }] },
    });
    await gateway.send(key, 'DELETE', `/v1/conversations/${posted.body.conversation_id}/messages/m1`);
    const moved = {
      id: idOf(80),
      thread_id: 'there',
      created_at: AT,
      messages: [{ ...said('My code is 4711.'), id: idOf(81) }],
    };
    const secret = {
      ...NEW_FACT,
      origin: 'extraction',
      sources: [{ message_id: idOf(81), quote: 'My code is 4711.' }],
    };
    const answer = await take(key, 'ann', { conversations: [moved], memories: [secret] });
    expect(answer.memories[0]).toMatchObject({ outcome: 'refused', code: 'not_grounded' });
    expect(JSON.stringify(await exportOf(key, 'ann'))).not.toContain('4711');
  });

  it('takes a memory once that is there in the same words, and lets the later of two that differ hold', async () => {
    const { key } = await makeKey();
    const add = (content: string, valid_from: string) =>
      gateway.send<MemoryWritten>(key, 'POST', '/v1/memories', {
        body: { user_id: 'ann', content, category: 'profile', valid_from },
      });
    const chess = (await add('The user plays chess.', AT)).body.memory;
    const faro = (await add('The user lives in Faro.', '2025-01-01T00:00:00Z')).body.memory;
    const answer = await take(key, 'ann', { ...MOVED, memories: [NEW_FACT, ...MOVED.memories!] });
    expect(answer.memories[0]).toEqual({ outcome: 'already_there', id: chess.id });
    const porto = await gateway.send<Memory>(key, 'GET', `/v1/memories/${PORTO}`);
    expect(porto.body).toMatchObject({ superseded_by: faro.id, valid_to: '2025-01-01T00:00:00.000Z' });
  });

  it('redacts, and refuses what the tenant does not accept', async () => {
    const { key } = await makeKey();
    const memories = [
      { ...NEW_FACT, content: 'Ann writes from ann@example.com.' },
      { ...NEW_FACT, id: idOf(74), category: 'unheard_of' },
      { ...NEW_FACT, id: idOf(75), type: 'insight' },
      { ...NEW_FACT, id: idOf(76), type: 'procedural' },
      { ...NEW_FACT, id: idOf(77), recorded_at: '2190-01-01T00:00:00Z' },
      { ...NEW_FACT, id: idOf(78), valid_to: '2020-01-01T00:00:00Z' },
      { ...NEW_FACT, id: idOf(79), superseded_by: TEA },
    ];
    const answer = await take(key, 'ann', { memories });
    expect(answer.memories.map(({ code }) => code)).toEqual([
      undefined,
      'forbidden_category',
      'wrong_type',
      'wrong_type',
      'wrong_times',
      'wrong_times',
      'wrong_times',
    ]);
    expect(answer.memories[1]!.detail).toMatch(/Allowed categories: .*preferences/);
    expect((await memoriesOf(key, 'ann'))[0]!.content).toMatch(/^Ann writes from \[email [0-9a-f]{16}\]\.$/);
  });

  it('refuses texts that violate a writing constraint where the tenant refuses them', async () => {
    const { key, tenantId } = await makeKey();
    const operator = await gateway.makeOperatorKey();
    await gateway.send(operator, 'PATCH', `/v1/operator/tenants/${tenantId}`, { body: { writing_checks: 'refuse' } });
    const answer = await take(key, 'ann', { memories: [{ ...NEW_FACT, content: 'I play chess with you.' }, NEW_FACT] });
    expect(answer.memories.map(({ code }) => code)).toEqual(['writing_refused', undefined]);
    expect(answer.memories[0]!.detail).toContain('third person');
  });

  const outcomesOf = ({ user_context: values }: RecordsImported) =>
    values.map(({ field, outcome, code }) => [field, code ?? outcome]);

  it('takes the user context with its times, and neither what was decided here later nor what was taken back', async () => {
    const { key } = await makeKey();
    const context = {
      preferred_name: { value: 'Annie', since: AT },
      city: { value: 'Porto', since: AT },
      tone: { value: null, since: AT },
      insights: { value: 'off', since: AT },
      goals: [
        { value: 'learn to sail', since: AT },
        { value: 'write to ann@example.com', since: AT },
        { value: 'fly', since: '2190-01-01T00:00:00Z' },
      ],
    };
    const dry = await take(key, 'ann', { user_context: context }, '?dry_run=true');
    expect(dry.counts.user_context).toEqual({ taken: 6, already_there: 0, refused: 1 });
    expect((await gateway.send(key, 'GET', '/v1/users/ann/export')).status).toBe(404);
    const first = await take(key, 'ann', { user_context: context });
    expect(outcomesOf(first)).toEqual([
      ['preferred_name', 'taken'],
      ['city', 'taken'],
      ['tone', 'taken'],
      ['insights', 'taken'],
      ['goals', 'taken'],
      ['goals', 'taken'],
      ['goals', 'wrong_times'],
    ]);
    const stored = (await exportOf(key, 'ann')).find(({ kind }) => kind === 'context')!.data;
    expect(stored).toMatchObject({
      revision: 1,
      fields: {
        city: { value: 'Porto', since: AT, by: 'import' },
        tone: { value: null, since: AT },
        insights: { value: 'off' },
        goals: [
          { value: 'learn to sail' },
          { value: expect.stringMatching(/^write to \[email [0-9a-f]{16}\]$/) as string },
        ],
      },
    });
    const again = await take(key, 'ann', { user_context: context });
    expect(again.counts.user_context).toEqual({ taken: 0, already_there: 6, refused: 1 });

    const edit = { city: 'Faro', preferred_name: null, goals: [] };
    expect((await gateway.send(key, 'PUT', '/v1/users/ann/context', { body: edit })).status).toBe(200);
    const later = await take(key, 'ann', { user_context: context });
    expect(outcomesOf(later)).toEqual([
      ['preferred_name', 'newer_value'],
      ['city', 'newer_value'],
      ['tone', 'already_there'],
      ['insights', 'already_there'],
      ['goals', 'forgotten'],
      ['goals', 'forgotten'],
      ['goals', 'wrong_times'],
    ]);
    const shown = await gateway.send<{ city: string; goals: string[] }>(key, 'GET', '/v1/users/ann/context');
    expect(shown.body).toMatchObject({ city: 'Faro', preferred_name: null, goals: [], insights: 'off' });

    await gateway.send(key, 'DELETE', '/v1/users/ann');
    const erased = await take(key, 'ann', { user_context: context });
    expect(erased.counts.user_context).toEqual({ taken: 0, already_there: 0, refused: 7 });
    expect(erased.user_context[0]).toMatchObject({ field: 'preferred_name', code: 'erased' });
    expect((await gateway.send<{ city: null }>(key, 'GET', '/v1/users/ann/context')).body).toMatchObject({
      city: null,
    });
  });

  it('says in a dry run what it would take, and writes nothing', async () => {
    const { key, tenantId } = await makeKey();
    const count = async () =>
      gateway.database.inTenant(tenantId, (tx) =>
        tx.query(
          `SELECT (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM messages) AS messages,
                  (SELECT count(*)::int FROM memories) AS memories, (SELECT count(*)::int FROM history) AS history,
                  (SELECT count(*)::int FROM work) AS work, (SELECT count(*)::int FROM events) AS events`,
        ),
      );
    const before = await count();
    const dry = await take(key, 'ann', MOVED, '?dry_run=true');
    expect(dry.dry_run).toBe(true);
    expect(dry.counts.memories).toEqual({ taken: 6, already_there: 0, refused: 0 });
    const apart = await take(key, 'ann', { memories: MOVED.memories }, '?dry_run=true');
    expect(apart.memories[0]).toMatchObject({ outcome: 'taken', pending: ['sources'] });
    expect(await count()).toEqual(before);
  });

  it('names the field of a record that is malformed, and takes none of the request', async () => {
    const { key } = await makeKey();
    const answer = await send(key, 'ann', { memories: [NEW_FACT, { ...NEW_FACT, content: '' }] });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'body.memories[1].content' }] } });
    expect((await gateway.send(key, 'GET', '/v1/users/ann/export')).status).toBe(404);
  });

  it('appends to an audit history that verifies', async () => {
    const { key } = await makeKey();
    await take(key, 'ann', MOVED);
    const history = await gateway.send<{ items: { event: string; meta: unknown }[] }>(
      key,
      'GET',
      `/v1/memories/${LISBON}/history`,
    );
    expect(history.body.items).toMatchObject([{ event: 'ADD', meta: { reason: 'imported' } }]);
  });
});
