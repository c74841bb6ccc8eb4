import { type OpenAiChatAnswer, StreamGate, waitUntil } from '@annals/testing';
import { connect } from 'node:net';
import type OpenAI from 'openai';
import { TenantSettingsFixture } from '../fixtures/tenant-settings.fixture.js';
import { type ChatSystem, CLAUDE_MODEL, OPENAI_MODEL, startChatSystem } from './chat.fixture.js';

interface Row {
  readonly provider: string;
  readonly model: string;
  readonly outcome: string;
  readonly cost: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly estimated: boolean;
}

const HI: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hi.' }];
const CALLERS = { 'x-annals-upstream-key': 'sk-of-the-caller' };

describe('what chats cost', () => {
  let system: ChatSystem;
  let tenants = 0;
  let tenantId: string;
  let client: OpenAI;
  let admin: string;
  beforeAll(async () => {
    system = await startChatSystem();
  });
  beforeEach(async () => {
    tenantId = await system.gateway.makeTenant(`tenant-${(tenants += 1)}`);
    admin = await system.gateway.makeKey({ tenantId });
    client = system
      .connect()
      .withOptions({ apiKey: await system.gateway.makeKey({ tenantId, scopes: ['query', 'ingest'] }) });
  });
  afterAll(() => system?.close());

  const complete = (over: object = {}, options: object = {}) =>
    client.chat.completions.create({ model: OPENAI_MODEL, messages: HI, user: 'ada', ...over, stream: false }, options);
  const stream = async (over: object = {}) => {
    const events = await client.chat.completions.create({
      model: OPENAI_MODEL,
      messages: HI,
      user: 'ada',
      ...over,
      stream: true,
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of events) chunks.push(chunk);
    return chunks;
  };
  const listLedger = () =>
    system.gateway.database.inTenant(tenantId, (tx) =>
      tx.query<Row>(
        `SELECT provider, model, outcome, cost_micro_usd::integer AS cost, input_tokens, output_tokens, estimated
           FROM usage WHERE operation = 'chat' ORDER BY id`,
      ),
    );
  /** The ledger once it has so many rows: a call is settled when its client has its answer. */
  const settled = (calls: number) =>
    waitUntil(
      async () => {
        const rows = await listLedger();
        return rows.length === calls && (await listOpen()).length === 0 ? rows : null;
      },
      { describe: `${calls} calls are settled` },
    );
  const listOpen = () =>
    system.gateway.database.inTenant(tenantId, (tx) =>
      tx.query(`SELECT id FROM reservations WHERE operation = 'chat'`),
    );
  const setBudget = (microUsd: number) =>
    system.gateway.send(admin, 'PUT', '/v1/admin/budgets', { body: { daily_limit_micro_usd: microUsd } });

  it('is in the ledger, by the usage that the upstream reports', async () => {
    const { usage } = await complete();
    const [row] = await settled(1);
    expect(row).toMatchObject({ provider: 'openai', model: OPENAI_MODEL, outcome: 'ok', estimated: false });
    expect([row!.input_tokens, row!.output_tokens]).toEqual([usage!.prompt_tokens, usage!.completion_tokens]);
    expect(row!.cost).toBeGreaterThan(0);
  });

  it('is counted to the user as they are stored, and to nobody whom the key may not name', async () => {
    const settings = await TenantSettingsFixture.open(system.gateway);
    await settings.patchTenant(tenantId, { personal_ids: 'hash' });
    await complete({ user: 'ada@example.com' });
    await complete({ user: 'bob@example.com', memory: { enabled: false } });
    await settled(2);
    const users = await system.gateway.database.inTenant(tenantId, (tx) =>
      tx.query<{ user_id: string | null }>(`SELECT user_id FROM usage WHERE operation = 'chat' ORDER BY id`),
    );
    expect(users.map(({ user_id: id }) => id)).toEqual([expect.stringMatching(/^(?!.*@)./), null]);
  });

  it('is that of Claude for its models', async () => {
    await complete({ model: CLAUDE_MODEL });
    const [row] = await settled(1);
    expect(row).toMatchObject({ provider: 'claude', model: CLAUDE_MODEL, outcome: 'ok', estimated: false });
    expect(system.anthropic.requests.at(-1)!.apiKey).toBe('our-anthropic-key');
  });

  it('is the usage at the end of a stream', async () => {
    const chunks = await stream({ stream_options: { include_usage: true } });
    expect(chunks.at(-1)!.usage!.prompt_tokens).toBeGreaterThan(0);
    expect((await settled(1))[0]).toMatchObject({ outcome: 'ok', estimated: false });
  });

  it('is its upper bound for a stream without usage', async () => {
    await stream({ max_completion_tokens: 1_000 });
    const [row] = await settled(1);
    expect(row).toMatchObject({ outcome: 'ok', estimated: true });
    // 1,000 tokens at $0.50 per million, and the request.
    expect(row!.cost).toBeGreaterThanOrEqual(500);
    expect(row!.cost).toBeLessThan(1_000);
  });

  it('is refused with 402 when the budget does not allow it, and nothing is sent', async () => {
    await setBudget(100);
    const sent = system.openai.requests.length;
    await expect(complete()).rejects.toMatchObject({
      status: 402,
      code: 'budget_exceeded',
      type: 'insufficient_quota',
      message: expect.stringContaining('max_completion_tokens'),
    });
    expect(system.openai.requests.length).toBe(sent);
    expect(await listOpen()).toEqual([]);
    // A smaller answer fits.
    await complete({ max_completion_tokens: 5 });
  });

  it('never passes the budget, however many ask at once', async () => {
    const bound = 100;
    await setBudget(3 * bound);
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => complete({ max_completion_tokens: 150 }, {})),
    );
    const spent = (await listLedger()).reduce((sum, { cost }) => sum + cost, 0);
    expect(spent).toBeLessThanOrEqual(3 * bound);
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every((each) => (each as PromiseRejectedResult).reason.status === 402)).toBe(true);
  });

  it('is the caller’s with a key of their own, which is neither stored nor logged', async () => {
    await setBudget(1);
    await complete({}, { headers: CALLERS });
    expect(system.openai.requests.at(-1)!.headers.authorization).toBe('Bearer sk-of-the-caller');
    await complete({ model: CLAUDE_MODEL }, { headers: CALLERS });
    expect(system.anthropic.requests.at(-1)!.apiKey).toBe('sk-of-the-caller');
    expect(await listLedger()).toEqual([]);
    expect(system.gateway.log.join('')).not.toContain('sk-of-the-caller');
    expect(system.gateway.log.join('')).not.toContain('our-openai-key');
  });

  it.each<[string, object]>([
    ['an unknown model', { model: 'gpt-unknown' }],
    ['web search', { web_search_options: {} }],
    ['sound', { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }],
  ])('is not made on our key for what has no price: %s', async (_what, over) => {
    const sent = system.openai.requests.length;
    await expect(complete(over)).rejects.toMatchObject({ status: 400, code: 'model_not_priced' });
    expect(system.openai.requests.length).toBe(sent);
    await complete(over, { headers: CALLERS });
  });

  it.each([429, 500, 503])('is nothing for an error of the upstream: %d', async (status) => {
    system.openai.plan({ kind: 'error', status, body: '{"error":{"message":"no"}}' });
    await expect(complete()).rejects.toMatchObject({ status });
    expect(await settled(1)).toMatchObject([{ cost: 0 }]);
    // Neither a circuit nor a limiter stands between the client and its next try.
    await complete();
  });

  it('is its upper bound for an answer that broke off', async () => {
    system.openai.plan({ kind: 'message', pieces: ['One', 'two'], breakAfter: 2 });
    await expect(stream({ max_completion_tokens: 1_000 })).rejects.toThrow();
    const [row] = await settled(1);
    expect(row!.cost).toBeGreaterThanOrEqual(500);
  });

  it('is what it was though the client left', async () => {
    const gate = new StreamGate();
    const answer: OpenAiChatAnswer = { kind: 'message', pieces: ['One', 'two'], gate };
    system.openai.plan(answer);
    const events = await client.chat.completions.create({
      model: OPENAI_MODEL,
      messages: HI,
      stream: true,
      stream_options: { include_usage: true },
    });
    gate.release(1);
    for await (const _chunk of events) break;
    gate.open();
    const [row] = await settled(1);
    expect(row).toMatchObject({ outcome: 'ok', estimated: false });
  });

  it('counts images and files that a request only points to', async () => {
    await setBudget(3_000);
    const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
    const messages = [{ role: 'user', content: [image] }];
    await expect(complete({ messages, max_completion_tokens: 1 })).rejects.toMatchObject({ status: 402 });
    await complete({ max_completion_tokens: 1 });
  });
});

describe('usage that is always asked for', () => {
  let system: ChatSystem;
  beforeAll(async () => {
    system = await startChatSystem({ env: { ANNALS_CHAT_STREAM_USAGE: 'always' } });
  });
  afterAll(() => system?.close());

  it('is kept from a client that did not ask for it', async () => {
    const events = await system.connect().chat.completions.create({
      model: OPENAI_MODEL,
      messages: HI,
      stream: true,
      stream_options: { include_obfuscation: false },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of events) chunks.push(chunk);
    expect(system.openai.requests.at(-1)!.body['stream_options']).toEqual({
      include_obfuscation: false,
      include_usage: true,
    });
    expect(chunks.some(({ usage }) => usage)).toBe(false);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Hello.');
    const listEstimated = () =>
      system.gateway.database.inTenant(system.tenantId, (tx) =>
        tx.query<Pick<Row, 'estimated'>>(`SELECT estimated FROM usage WHERE operation = 'chat'`),
      );
    const rows = await waitUntil(async () => ((await listEstimated()).length === 1 ? listEstimated() : null), {
      describe: 'the call is settled',
    });
    expect(rows).toEqual([{ estimated: false }]);
  });
});

describe('a client that no longer reads', () => {
  let system: ChatSystem;
  beforeAll(async () => {
    system = await startChatSystem({ env: { ANNALS_CHAT_TIMEOUT_MS: '1000' } });
  });
  afterAll(() => system?.close());

  it('holds nothing beyond the time of a completion', async () => {
    // More than the buffers of both sockets take.
    system.openai.plan({ kind: 'message', pieces: Array.from({ length: 300 }, () => 'x'.repeat(100_000)) });
    const { hostname, port } = new URL(system.gateway.url);
    const socket = connect(Number(port), hostname);
    const body = JSON.stringify({ model: OPENAI_MODEL, messages: HI, stream: true, max_completion_tokens: 5 });
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${system.key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    socket.pause();
    const listUsage = () =>
      system.gateway.database.inTenant(system.tenantId, (tx) =>
        tx.query<Pick<Row, 'cost'>>(`SELECT cost_micro_usd::integer AS cost FROM usage WHERE operation = 'chat'`),
      );
    const rows = await waitUntil(async () => ((await listUsage()).length === 1 ? listUsage() : null), {
      describe: 'the call is settled',
    });
    expect(rows[0]!.cost).toBeGreaterThan(0);
    socket.destroy();
  });
});
