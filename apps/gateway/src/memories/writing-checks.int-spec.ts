import type { HistoryPage, Memory, MemoryPage, MemoryWritten, TenantCreated } from '@annals/contracts';
import { createEmbeddingProvider, type EmbeddingProvider } from '@annals/llm-core';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
import { WritingChecks } from './writing-checks.js';

const FIRST_PERSON = 'I live in Lisbon.';

describe('memories written by hand', () => {
  let gateway: TestGateway;
  let operator: string;
  let tenants = 0;
  let users = 0;
  const embedded: string[] = [];
  beforeAll(async () => {
    const hashed = createEmbeddingProvider({ provider: 'hashed' });
    const embedder: EmbeddingProvider = {
      name: hashed.name,
      model: hashed.model,
      dimensions: hashed.dimensions,
      profile: hashed.profile,
      estimateMaxCost: (texts) => hashed.estimateMaxCost(texts),
      embed(texts, options) {
        embedded.push(...texts);
        return hashed.embed(texts, options);
      },
    };
    gateway = await startGateway({ embedder });
    operator = await gateway.makeOperatorKey();
  });
  afterAll(() => gateway.close());

  const createTenant = async (settings: object = {}) => {
    const body = { name: `writing-${(tenants += 1)}`, ...settings };
    return (await gateway.send<TenantCreated>(operator, 'POST', '/v1/operator/tenants', { body })).body;
  };
  const setChecks = (id: string, writing_checks: string | null) =>
    gateway.send(operator, 'PATCH', `/v1/operator/tenants/${id}`, { body: { writing_checks } });
  const newUser = () => `user-${(users += 1)}`;
  const add = <Body = MemoryWritten>(key: string | undefined, content: string, rest = {}, headers = {}) =>
    gateway.send<Body>(key!, 'POST', '/v1/memories', {
      body: { user_id: newUser(), content, category: 'profile', ...rest },
      headers,
    });
  const patch = (key: string | undefined, id: string, body: object) =>
    gateway.send<MemoryWritten>(key!, 'PATCH', `/v1/memories/${id}`, { body });
  const countStored = async (rule: string, outcome = 'stored') => {
    const { body } = await gateway.infrastructure.metrics.render();
    const line = `memory_llm_manual_writing_violations_total{rule="${rule}",outcome="${outcome}"} `;
    return Number(
      body
        .split('\n')
        .find((each) => each.startsWith(line))
        ?.slice(line.length) ?? 0,
    );
  };

  describe('by default', () => {
    it('are stored as sent, with a warning for each violation, counted by rule', async () => {
      const { key } = await createTenant();
      const before = await countStored('not_third_person');
      const { status, body } = await add(key, 'I moved here yesterday. I like it. We are happy.');
      expect(status).toBe(201);
      expect(body.memory.content).toBe('I moved here yesterday. I like it. We are happy.');
      expect(body.warnings).toEqual([
        { code: 'too_many_sentences', path: 'body.content', message: expect.stringContaining('two sentences') },
        { code: 'not_third_person', path: 'body.content', message: expect.stringContaining('third person') },
        { code: 'not_self_contained', path: 'body.content', message: expect.stringContaining('date') },
      ]);
      expect(await countStored('not_third_person')).toBe(before + 1);
    });

    it('have no warnings without violations, nor when only attributes change', async () => {
      const { key } = await createTenant();
      expect((await add(key, 'The user lives in Lisbon.')).body).not.toHaveProperty('warnings');
      const { body } = await add(key, FIRST_PERSON);
      expect((await patch(key, body.memory.id, { pinned: true })).body).not.toHaveProperty('warnings');
    });

    it('answer a repetition with the same warnings, counted once', async () => {
      const { key } = await createTenant();
      const before = await countStored('pronoun_for_user');
      const request = { user_id: newUser() };
      const send = () => add(key, 'The user sold their bike.', request, { 'idempotency-key': 'sold' });
      const first = await send();
      const again = await send();
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.body).toEqual(first.body);
      expect(again.body.warnings).toMatchObject([{ code: 'pronoun_for_user' }]);
      expect(await countStored('pronoun_for_user')).toBe(before + 1);
    });

    it('are checked as what they are when their content changes', async () => {
      const { key } = await createTenant();
      const { body: event } = await add(key, 'Ana went to the theatre.', { type: 'episodic', category: 'event' });
      const changed = await patch(key, event.memory.id, { content: 'Ana goes to the theatre on 3 May 2025.' });
      expect(changed.body).toMatchObject({
        outcome: 'superseded',
        warnings: [{ code: 'not_past_tense', path: 'body.content' }],
      });
    });

    it('are checked before redaction, so that a placeholder makes no text too long', async () => {
      const { key } = await createTenant();
      const content = `Ana writes to a@b.example ${'and '.repeat(62)}rests`;
      expect(content.length).toBeLessThanOrEqual(280);
      const { body } = await add(key, content);
      expect(body.memory.content.length).toBeGreaterThan(280);
      expect(body).not.toHaveProperty('warnings');
    });

    it('warn a key that may not read too, without content', async () => {
      const { id } = await createTenant();
      const writer = await gateway.makeKey({ tenantId: id, scopes: ['ingest'] });
      const { body } = await add<Record<string, unknown>>(writer, FIRST_PERSON);
      expect(body['warnings']).toMatchObject([{ code: 'not_third_person' }]);
      expect(JSON.stringify(body)).not.toContain('Lisbon');
    });

    it('may be procedures that speak to their reader, but have no empty step', async () => {
      const { key } = await createTenant();
      const procedure = { type: 'procedural', category: 'procedural' };
      const steps = ['Open your laptop. Log in.', '2. Then', 'Wait until it is done.'];
      const { body } = await add(key, 'How to proceed when you are paged', { ...procedure, steps });
      expect(body.warnings).toEqual([{ code: 'empty', path: 'body.steps[1]', message: expect.any(String) }]);
    });
  });

  it('are not checked with `off`', async () => {
    const { key } = await createTenant({ writing_checks: 'off' });
    expect((await add(key, FIRST_PERSON)).body).not.toHaveProperty('warnings');
  });

  it('are refused with `refuse`: every violation is named, and nothing is written', async () => {
    const { key } = await createTenant({ writing_checks: 'refuse' });
    const before = await countStored('not_third_person', 'refused');
    const user_id = newUser();
    const refused = await add<object>(key, 'I moved here yesterday.', { user_id }, { 'idempotency-key': 'refused' });
    expect(refused).toMatchObject({
      status: 422,
      body: {
        code: 'writing_refused',
        detail: expect.stringMatching(/^Correct body\.content: .*third person.* \(and 1 more, see errors\)$/),
        errors: [
          { path: 'body.content', code: 'not_third_person', message: expect.stringContaining('third person') },
          { path: 'body.content', code: 'not_self_contained', message: expect.stringContaining('date') },
        ],
      },
    });
    expect(JSON.stringify(refused.body)).not.toContain('moved here');
    expect(await countStored('not_third_person', 'refused')).toBe(before + 1);
    const { body: listed } = await gateway.send<MemoryPage>(key!, 'GET', `/v1/memories?user_id=${user_id}`);
    expect(listed.items).toEqual([]);
    const again = await add<object>(key, 'I moved here yesterday.', { user_id }, { 'idempotency-key': 'refused' });
    expect(again).toMatchObject({ status: 422, body: { code: 'writing_refused' } });
    expect((await add(key, 'The user lives in Lisbon.')).status).toBe(201);
  });

  it('keep their content and revision when a change is refused, and take changes of attributes', async () => {
    const { id, key } = await createTenant();
    const { body } = await add(key, FIRST_PERSON);
    await setChecks(id, 'refuse');
    expect((await patch(key, body.memory.id, { content: 'I live in Porto.', importance: 5 })).status).toBe(422);
    const path = `/v1/memories/${body.memory.id}`;
    expect((await gateway.send<Memory>(key!, 'GET', path)).body).toEqual(body.memory);
    expect((await gateway.send<HistoryPage>(key!, 'GET', `${path}/history`)).body.items).toHaveLength(1);
    expect((await patch(key, body.memory.id, { importance: 5 })).status).toBe(200);
  });

  it('are taken back as they are stored, also when their content would be refused now', async () => {
    const { id, key } = await createTenant();
    const content = 'I write to a@b.example.';
    const { body } = await add(key, content);
    expect(body.memory.content).not.toBe(content);
    await setChecks(id, 'refuse');
    for (const same of [body.memory.content, content]) {
      const kept = await patch(key, body.memory.id, { content: same, importance: 5 });
      expect(kept).toMatchObject({ status: 200, body: { memory: { content: body.memory.content, importance: 5 } } });
      expect(kept.body).not.toHaveProperty('warnings');
    }
  });

  it('are not embedded when they are refused', async () => {
    const { key } = await createTenant({ writing_checks: 'refuse' });
    const { body } = await add(key, 'The user lives in Braga.');
    expect((await add(key, 'I live in Evora.')).status).toBe(422);
    expect((await patch(key, body.memory.id, { content: 'I live in Evora now.' })).status).toBe(422);
    expect(embedded.filter((text) => text.includes('Evora'))).toEqual([]);
    expect((await patch(key, body.memory.id, { content: 'The user lives in Evora.' })).status).toBe(200);
    expect(embedded).toContain('The user lives in Evora.');
  });

  it('answer a repetition as before, whatever the setting is since', async () => {
    const { id, key } = await createTenant();
    const request = { user_id: newUser() };
    const send = () => add(key, FIRST_PERSON, request, { 'idempotency-key': 'kept' });
    const first = await send();
    await setChecks(id, 'refuse');
    const again = await send();
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect((await setChecks(id, null)).body).toMatchObject({ writing_checks: null });
    expect((await add(key, FIRST_PERSON)).status).toBe(201);
  });

  it('are refused by a configuration of the installation, unless their tenant has a setting', async () => {
    const { metrics } = gateway.infrastructure;
    const strict = new WritingChecks({ writing: { checks: 'refuse' } }, metrics);
    const check = (id: string) =>
      gateway.database.inTenant(id, (tx) => strict.check(tx, { content: FIRST_PERSON, type: 'semantic' }));
    await expect(check((await createTenant()).id)).rejects.toThrow(/writing_refused/);
    expect(await check((await createTenant({ writing_checks: 'warn' })).id)).toMatchObject([
      { code: 'not_third_person' },
    ]);
  });
});
