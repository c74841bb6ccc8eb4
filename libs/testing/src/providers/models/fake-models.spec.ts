import { request } from 'node:http';
import Anthropic, { APIError as AnthropicAPIError } from '@anthropic-ai/sdk';
import OpenAI, { APIError as OpenAIAPIError } from 'openai';
import type { AnswerBehaviour, Behaviour, RetryHint } from './behaviour.js';
import { type FakeModels, type FakeModelsOptions, startFakeModels } from './fake-models.js';
import { MISBEHAVIOUR_NAMES, TRANSIENT_MISBEHAVIOURS, createMisbehaviour } from './misbehaviours.js';

const NOW = Date.UTC(2026, 10, 21, 12);
const PROMPT = 'm1 user: I live in Lisbon. It is warm.\nc1 assistant: Nice!\nm3 user: I have two cats, mark-a1.';
const EXPECTED = {
  schemaVersion: 'memory_llm_response_v1',
  memories: [
    { content: 'The user said: “I live in Lisbon.”', evidence: [{ message_id: 'm1', quote: 'I live in Lisbon.' }] },
    { evidence: [{ message_id: 'm3', quote: 'I have two cats, mark-a1.' }] },
  ],
};

let fake: FakeModels;
afterEach(() => fake.close());

async function start(options: FakeModelsOptions = {}): Promise<void> {
  fake = await startFakeModels({ now: () => NOW, ...options });
}

/** The response of either SDK in one format. */
interface SdkAnswer {
  text: string;
  stop: string | null | undefined;
  input: number | undefined;
  output: number | undefined;
  tools: number;
}
type SendRequest = (signal?: AbortSignal) => Promise<SdkAnswer>;

const params = { max_tokens: 1_000, messages: [{ role: 'user' as const, content: PROMPT }], model: 'claude-haiku-5-5' };
const chat = { model: 'gpt-6-luna', messages: [{ role: 'user' as const, content: PROMPT }] };
const anthropic = () => new Anthropic({ apiKey: 'sk-a', baseURL: fake.anthropicUrl, maxRetries: 0, logLevel: 'off' });
const openai = () => new OpenAI({ apiKey: 'sk-o', baseURL: fake.openaiUrl, maxRetries: 0, logLevel: 'off' });

const requestOptions = (signal?: AbortSignal) => ({ timeout: 30_000, ...(signal && { signal }) });

const CLIENTS: Record<string, SendRequest> = {
  'anthropic json': async (signal) => parseMessage(await anthropic().messages.create(params, requestOptions(signal))),
  'anthropic stream': async (signal) =>
    parseMessage(await anthropic().messages.stream(params, requestOptions(signal)).finalMessage()),
  'openai json': async (signal) => parseChat(await openai().chat.completions.create(chat, requestOptions(signal))),
  'openai stream': async (signal) => {
    const body = { ...chat, stream: true as const, stream_options: { include_usage: true } };
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of await openai().chat.completions.create(body, requestOptions(signal))) chunks.push(chunk);
    return parseChunks(chunks);
  },
};
const JSON_CLIENTS = ['anthropic json', 'openai json'];
const STREAM_CLIENTS = ['anthropic stream', 'openai stream'];
const ALL = Object.keys(CLIENTS);

function parseMessage({ content, stop_reason, usage }: Anthropic.Message): SdkAnswer {
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    stop: stop_reason,
    input: (usage as Anthropic.Usage | undefined)?.input_tokens,
    output: (usage as Anthropic.Usage | undefined)?.output_tokens,
    tools: content.filter(({ type }) => type === 'tool_use').length,
  };
}

function parseChat({ choices, usage }: OpenAI.ChatCompletion): SdkAnswer {
  const { message, finish_reason } = choices[0]!;
  return {
    text: message.content ?? '',
    stop: message.refusal === null ? finish_reason : 'refusal',
    input: usage?.prompt_tokens,
    output: usage?.completion_tokens,
    tools: message.tool_calls?.length ?? 0,
  };
}

function parseChunks(chunks: OpenAI.ChatCompletionChunk[]): SdkAnswer {
  const choices = chunks.flatMap((chunk) => chunk.choices);
  const usage = chunks.at(-1)?.usage;
  const refusal = choices.map(({ delta }) => delta.refusal ?? '').join('');
  return {
    text: choices.map(({ delta }) => delta.content ?? '').join(''),
    stop: refusal === '' ? choices.findLast(({ finish_reason }) => finish_reason)?.finish_reason : 'refusal',
    input: usage?.prompt_tokens,
    output: usage?.completion_tokens,
    tools: choices.flatMap(({ delta }) => delta.tool_calls?.filter(({ id }) => id) ?? []).length,
  };
}

const classOf = (error: unknown): string | undefined => (error as Error).constructor.name;

async function failure(way: string, behaviour: Behaviour, signal?: AbortSignal): Promise<unknown> {
  fake.plan(behaviour);
  return CLIENTS[way]!(signal).then(
    () => 'no error',
    (error: unknown) => error,
  );
}

async function requestWith(way: string, behaviour: Behaviour = { kind: 'answer' }): Promise<SdkAnswer> {
  fake.plan(behaviour);
  return CLIENTS[way]!();
}

describe.each(ALL)('fake models by %s', (way) => {
  it('return the same grounded answer for the same prompt, with usage, and charge for it', async () => {
    await start();
    const answers = [await requestWith(way), await requestWith(way)];
    expect(answers[0]).toEqual(answers[1]);
    const { text, input, output } = answers[0]!;
    expect(JSON.parse(text)).toMatchObject(EXPECTED);
    expect([input! > 20, output! > 50]).toEqual([true, true]);
    const entry = fake.journal.entries[0]!;
    expect(entry).toMatchObject({ ending: 'complete', status: 200, text, costNanoUsd: input! * 100 + output! * 500 });
    expect(entry.request).toMatchObject({ endpoint: 'generate', marks: ['mark-a1'], stream: way.includes('stream') });
    expect(JSON.stringify(entry)).not.toMatch(/sk-[ao]/);
  });

  it.each([
    [{ kind: 'answer', stop: 'truncated' }, /max_tokens|length/, false],
    [{ kind: 'answer', stop: 'refusal' }, /refusal/, true],
    [{ kind: 'answer', stop: 'empty' }, /end_turn|stop/, true],
  ] satisfies [AnswerBehaviour, RegExp, boolean][])(
    'end with the stop reason of the API: %j',
    async (behaviour, stop, isEmpty) => {
      await start();
      const answer = await requestWith(way, behaviour);
      expect(answer.stop).toMatch(stop);
      expect(answer.text === '').toBe(isEmpty);
      expect(() => JSON.parse(answer.text) as unknown).toThrow(SyntaxError);
    },
  );

  it.each(['before', 'inside', 'after'] as const)('can call a tool %s the text', async (tools) => {
    await start();
    const answer = await requestWith(way, { kind: 'answer', tools });
    expect(answer.tools).toBe(1);
    expect(JSON.parse(answer.text)).toMatchObject(EXPECTED);
  });

  it('support thinking, any text, slow pieces of one character, and planned usage', async () => {
    await start();
    const text = '{"schemaVersion": 😀';
    const usage = { inputTokens: 100, outputTokens: 50 };
    const answer = await requestWith(way, { kind: 'answer', text, thinking: 'hm', usage, everyMs: 1, pieceLength: 1 });
    expect(answer).toMatchObject({ text, input: 100, output: 50 });
  });

  it.each([400, 401, 403, 404, 500, 503, 529])('can respond with %d', async (status) => {
    await start();
    expect(await failure(way, { kind: 'error', status })).toMatchObject({
      status,
      requestID: fake.journal.entries[0]!.requestId,
    });
    expect(fake.journal.entries[0]).toMatchObject({ costNanoUsd: 0, action: `error_${status}`, ending: 'complete' });
  });

  it.each([
    [{ kind: 'seconds', seconds: 7 }, { 'retry-after': '7' }],
    [{ kind: 'ms', ms: 250 }, { 'retry-after-ms': '250' }],
    [{ kind: 'date', inMs: 30_000 }, { 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }],
    [{ kind: 'none' }, {}],
  ] satisfies [RetryHint, Record<string, string>][])(
    'can respond with 429 and only the hint %j',
    async (hint, headers) => {
      await start();
      const error = (await failure(way, { kind: 'error', status: 429, hint })) as AnthropicAPIError | OpenAIAPIError;
      const hints = [...error.headers!].filter(([name]) => /retry|ratelimit/.test(name));
      expect(Object.fromEntries(hints)).toEqual(headers);
    },
  );

  it('can hang until the caller closes the connection', async () => {
    await start();
    const caller = new AbortController();
    const failed = failure(way, { kind: 'hang' }, caller.signal);
    await fake.journal.waitFor((entries) => entries.length === 1);
    caller.abort();
    expect(classOf(await failed)).toBe('APIUserAbortError');
    await fake.journal.waitFor(([entry]) => entry?.ending === 'left');
  });

  it('can reset the connection, and respond with invalid JSON', async () => {
    await start();
    expect(classOf(await failure(way, { kind: 'reset' }))).toBe('APIConnectionError');
    fake.plan({ kind: 'garbage' });
    const outcome = await CLIENTS[way]!().then(({ text }) => text, String);
    expect(outcome).toMatch(/^$|SyntaxError|without/);
    expect(fake.journal.entries.map(({ action }) => action)).toEqual(['reset', 'garbage']);
  });

  it('fail all requests during an outage', async () => {
    await start({ answer: () => '{}' });
    fake.plan({ kind: 'hang' });
    const hanging = CLIENTS[way]!().catch((error: unknown) => error);
    await fake.journal.waitFor((entries) => entries.length === 1);
    fake.outage(true);
    expect(classOf(await hanging)).toBe('APIConnectionError');
    expect(classOf(await CLIENTS[way]!().catch((error: unknown) => error))).toBe('APIConnectionError');
    fake.outage({ kind: 'error', status: 503 });
    expect(await CLIENTS[way]!().catch((error: unknown) => error)).toHaveProperty('status', 503);
    fake.outage(false);
    expect(await CLIENTS[way]!()).toHaveProperty('text', '{}');
  });

  it('truncate the answer at the requested limit', async () => {
    await start({ answer: () => 'x'.repeat(900_000) });
    const limited = way.startsWith('anthropic')
      ? parseMessage(await anthropic().messages.create({ ...params, max_tokens: 3 }))
      : parseChat(await openai().chat.completions.create({ ...chat, max_completion_tokens: 3 }));
    expect([limited.output, limited.text.length]).toEqual([3, 12]);
    expect(limited.stop).toMatch(/max_tokens|length/);
  });
});

describe.each(JSON_CLIENTS)('fake models by %s', (way) => {
  it('can omit the usage, and still charge', async () => {
    await start();
    expect(await requestWith(way, { kind: 'answer', usage: 'missing' })).toMatchObject({ input: undefined });
    expect(fake.journal.entries[0]!.costNanoUsd).toBeGreaterThan(0);
  });

  it('can break in the middle of the body', async () => {
    await start();
    const error = await failure(way, { kind: 'answer', broken: { at: 'middle', how: 'reset' } });
    expect((error as Error).message).toMatch(/terminated|JSON|closed/);
    expect(fake.journal.entries[0]).toMatchObject({ ending: 'broken', status: 200 });
  });
});

describe.each(STREAM_CLIENTS)('fake models by %s', (way) => {
  it.each(['overloaded', 'rate_limit', 'server'] as const)('can fail in the stream: %s', async (how) => {
    await start();
    const error = await failure(way, { kind: 'answer', broken: { at: 'middle', how } });
    expect(classOf(error)).toBe('APIError');
    expect(error).toMatchObject({ status: undefined });
    const { text, costNanoUsd, usage } = fake.journal.entries[0]!;
    expect([text.length > 50, () => JSON.parse(text) as unknown]).toEqual([true, expect.any(Function)]);
    expect(costNanoUsd).toBe(usage!.inputTokens * 100 + usage!.outputTokens * 500);
  });

  it('can break before the first text, within it, and before the end', async () => {
    await start();
    for (const at of ['start', 2, 'middle', 'end'] as const) {
      fake.plan({ kind: 'answer', broken: { at, how: 'reset' } });
      await expect(CLIENTS[way]!()).rejects.toThrow(/terminated|error|ended|closed/i);
    }
    const lengths = fake.journal.entries.map(({ text }) => text.length);
    expect([lengths[0], lengths[1]]).toEqual([0, 48]);
    expect(lengths[2]! > 48 && lengths[3]! > lengths[2]!).toBe(true);
    expect(fake.journal.entries[3]).toMatchObject({ ending: 'broken' });
  });

  it('can stall after some text until the caller closes the connection', async () => {
    await start();
    fake.plan({ kind: 'answer', broken: { at: 'middle', how: 'stall' } });
    const caller = new AbortController();
    const body = { signal: caller.signal };
    const stream = way.startsWith('anthropic')
      ? await anthropic().messages.create({ ...params, stream: true }, body)
      : await openai().chat.completions.create({ ...chat, stream: true }, body);
    await fake.journal.waitFor(([entry]) => entry!.text !== '' || entry!.ending !== 'open');
    let events = 0;
    for await (const _event of stream) {
      events += 1;
      if (events === 5) caller.abort();
    }
    await fake.journal.waitFor(([entry]) => entry?.ending === 'left');
    expect(fake.journal.entries[0]!.costNanoUsd).toBeGreaterThan(0);
  });
});

describe('fake models', () => {
  it('render Anthropic’s spend limits, reset headers and content filter like Anthropic', async () => {
    await start();
    expect(await failure('anthropic json', { kind: 'spend_limit' })).toMatchObject({
      status: 429,
      type: 'rate_limit_error',
      errorCode: 'enforced_spend_limit_reached',
    });
    expect(await failure('anthropic json', { kind: 'own_spend_limit' })).toMatchObject({ status: 400 });
    expect(await failure('anthropic json', { kind: 'answer', stop: 'content_filter' })).toMatchObject({ status: 400 });
    const reset = await failure('anthropic json', {
      kind: 'error',
      status: 429,
      hint: { kind: 'reset', inMs: 12_000 },
    });
    expect((reset as AnthropicAPIError).headers!.get('anthropic-ratelimit-requests-reset')).toBe(
      '2026-11-21T12:00:12.000Z',
    );
    expect(await requestWith('anthropic json', { kind: 'answer', stop: 'refusal' })).toMatchObject({ stop: 'refusal' });
  });

  it('render OpenAI’s spend limits, reset headers and content filter like OpenAI', async () => {
    await start();
    const quota = { status: 429, type: 'insufficient_quota', code: 'credit_balance_exhausted' };
    expect(await failure('openai json', { kind: 'spend_limit' })).toMatchObject(quota);
    const code = 'project_spend_limit_exceeded';
    expect(await failure('openai json', { kind: 'spend_limit', code })).toMatchObject({ ...quota, code });
    const reset = await failure('openai json', { kind: 'error', status: 429, hint: { kind: 'reset', inMs: 90_500 } });
    expect((reset as OpenAIAPIError).headers!.get('x-ratelimit-reset-requests')).toBe('1m30.5s');
    for (const way of ['openai json', 'openai stream']) {
      expect(await requestWith(way, { kind: 'answer', stop: 'content_filter' })).toMatchObject({
        stop: 'content_filter',
      });
    }
    await expect(requestWith('openai stream', { kind: 'answer', usage: 'missing' })).resolves.toMatchObject({
      input: undefined,
    });
  });

  it('reject unsupported parameters of a server with a 400', async () => {
    await start({ refuses: ['response_format.json_schema', 'stream_options', 'output_config.format'] });
    const format = { type: 'json_schema' as const, json_schema: { name: 'x', schema: { type: 'object' } } };
    await expect(openai().chat.completions.create({ ...chat, response_format: format })).rejects.toMatchObject({
      status: 400,
      param: 'response_format',
    });
    await expect(CLIENTS['openai stream']!()).rejects.toMatchObject({ status: 400, code: 'unsupported_parameter' });
    const output_config = { format: { type: 'json_schema' as const, schema: { type: 'object' } } };
    await expect(anthropic().messages.create({ ...params, output_config })).rejects.toMatchObject({ status: 400 });
    expect(fake.journal.summarize().statuses).toEqual({ 400: 3 });
    expect(fake.journal.summarize().costNanoUsd).toBe(0);
  });

  it('reject what the real APIs reject: old parameters, prefill, loose schemas, unknown models and keys', async () => {
    await start({ keys: ['sk-a'] });
    await expect(openai().models.list()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    fake.configure({ keys: null });
    const bad: [Record<string, unknown>, number][] = [
      [{ temperature: 0 }, 400],
      [{ model: 'claude-3' }, 404],
      [{ messages: [...params.messages, { role: 'assistant', content: '{' }] }, 400],
      [{ thinking: { type: 'enabled', budget_tokens: 1_024 } }, 400],
      [{ output_config: { format: { type: 'json_schema', schema: { type: 'object', properties: {} } } } }, 400],
    ];
    for (const [extra, status] of bad) {
      await expect(anthropic().messages.create({ ...params, ...extra })).rejects.toMatchObject({ status });
    }
    const json_schema = { name: 'x', strict: true, schema: { type: 'object', properties: {} } };
    const worse: [Record<string, unknown>, number][] = [
      [{ max_tokens: 5 }, 400],
      [{ temperature: 0 }, 400],
      [{ model: 'gpt-1' }, 404],
      [{ response_format: { type: 'json_object' } }, 400],
      [{ response_format: { type: 'json_schema', json_schema } }, 400],
    ];
    for (const [extra, status] of worse) {
      await expect(openai().chat.completions.create({ ...chat, ...extra })).rejects.toMatchObject({ status });
    }
    fake.configure({ isCompatible: true });
    await expect(openai().chat.completions.create({ ...chat, max_tokens: 5 })).resolves.toBeDefined();
  });

  it('list the models of each API with their retirement dates', async () => {
    await start();
    const ours = await anthropic().models.list();
    expect(ours.data.map(({ id }) => id)).toContain('claude-haiku-5-5');
    await expect(anthropic().models.retrieve('claude-sonnet-4-5')).resolves.toMatchObject({
      lifecycle: 'deprecated',
      retires_at: '2026-11-30T00:00:00Z',
    });
    await expect(anthropic().models.retrieve('gpt-6-luna')).rejects.toMatchObject({ status: 404 });
    await expect(openai().models.retrieve('gpt-4o-mini')).resolves.toMatchObject({ shutdown_date: '2027-01-14' });
    expect((await openai().models.list()).data.map(({ id }) => id)).toContain('gpt-6-luna');
  });

  it('count tokens and embed', async () => {
    await start({ embeddingDimensions: 8 });
    const { input_tokens } = await anthropic().messages.countTokens({ model: params.model, messages: params.messages });
    expect(input_tokens).toBe((await requestWith('anthropic json')).input);
    const { data, usage } = await openai().embeddings.create({ model: 'text-embedding-3-small', input: ['a', 'b'] });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([8, 8]);
    expect(usage.prompt_tokens).toBe(2);
    fake.planFor('embeddings', { kind: 'error', status: 500 });
    await expect(openai().embeddings.create({ model: 'text-embedding-3-small', input: 'a' })).rejects.toMatchObject({
      status: 500,
    });
  });

  it('cache a long prefix on request, and charge for it', async () => {
    await start();
    const system = [
      { type: 'text' as const, text: 'rule '.repeat(600), cache_control: { type: 'ephemeral' as const } },
    ];
    const usages: Anthropic.Usage[] = [];
    for (let n = 0; n < 2; n += 1) usages.push((await anthropic().messages.create({ ...params, system })).usage);
    expect(usages.map((usage) => [usage.cache_creation_input_tokens, usage.cache_read_input_tokens])).toEqual([
      [750, 0],
      [0, 750],
    ]);
    const [written, read] = fake.journal.entries.map(({ costNanoUsd }) => costNanoUsd);
    expect(written! - read!).toBe(750 * (125 - 10));
  });

  it('report their rate limits in headers, and can enforce them', async () => {
    await start({ limits: { requestsPerMinute: 2, tokensPerMinute: 10_000, isEnforced: true } });
    const { response } = await anthropic().messages.create(params).withResponse();
    expect(response.headers.get('anthropic-ratelimit-requests-remaining')).toBe('1');
    const { response: other } = await openai().chat.completions.create(chat).withResponse();
    expect(other.headers.get('x-ratelimit-remaining-requests')).toBe('1');
    expect(other.headers.get('x-ratelimit-reset-requests')).toBe('1m0s');
    await CLIENTS['openai json']!();
    await expect(CLIENTS['openai json']!()).rejects.toMatchObject({ status: 429 });
    await expect(CLIENTS['anthropic json']!()).resolves.toBeDefined();
  });

  it('misbehave at the configured rate, in the same way for a conversation in any order', async () => {
    await start();
    const send = async (name: number): Promise<string> => {
      const messages = [{ role: 'user' as const, content: `m1 user: I am number ${name}.` }];
      return openai()
        .chat.completions.create({ ...chat, messages })
        .then(() => 'ok', String);
    };
    const run = async (names: number[]): Promise<Map<number, string>> => {
      fake.misbehave({ rate: 0.3, seed: 7, kinds: ['server_error', 'overloaded', 'reset'] });
      return new Map(await Promise.all(names.map(async (name) => [name, await send(name)] as const)));
    };
    const names = Array.from({ length: 300 }, (_, name) => name);
    const forth = await run(names);
    const back = await run(names.toReversed());
    expect(names.filter((name) => forth.get(name) === back.get(name))).toHaveLength(300);
    const failed = names.filter((name) => forth.get(name) !== 'ok').length;
    expect(failed).toBeGreaterThan(60);
    expect(failed).toBeLessThan(120);
    const { statuses, calls } = fake.journal.summarize();
    expect(calls).toEqual({ generate: 600 });
    expect(Object.keys(statuses).toSorted()).toEqual(['200', '500', '529', 'none']);
  });

  it('support every misbehaviour by name, for both APIs, with and without streaming', async () => {
    await start();
    const names = MISBEHAVIOUR_NAMES.filter((name) => name !== 'hang' && name !== 'stall');
    for (const name of names) for (const way of ALL) await failure(way, createMisbehaviour(name));
    const { calls, action, statuses } = fake.journal.summarize();
    expect(calls).toEqual({ generate: names.length * ALL.length });
    expect(action).toMatchObject({ error_429: 20, reset: 4, garbage: 4, broken_end: 8, refusal: 4, spend_limit: 4 });
    expect(statuses).toMatchObject({ 429: 26, 401: 4, none: 4 });
    expect(TRANSIENT_MISBEHAVIOURS).not.toContain('hang');
    expect(TRANSIENT_MISBEHAVIOURS).not.toContain('spend_limit');
  });

  it('apply a rule after the plan and before the mix', async () => {
    await start();
    fake.misbehave({ rate: 1, seed: 1, kinds: ['server_error'] });
    fake.behave(({ model }, n) => (model === 'gpt-6-luna' && n > 2 ? { kind: 'error', status: 403 } : undefined));
    expect(await requestWith('openai json')).toMatchObject({ stop: 'stop' });
    await expect(CLIENTS['openai json']!()).rejects.toMatchObject({ status: 500 });
    await expect(CLIENTS['openai json']!()).rejects.toMatchObject({ status: 403 });
  });

  it('handle 2 000 concurrent requests', async () => {
    await start({ latencyMs: 60_000 });
    const headers = { authorization: 'Bearer k' };
    const requests = Array.from({ length: 2_000 }, () => {
      const pending = request(`${fake.openaiUrl}/chat/completions`, { method: 'POST', headers, agent: false });
      pending.on('error', () => undefined).end(JSON.stringify(chat));
      return pending;
    });
    await fake.journal.waitFor((entries) => entries.length === 2_000);
    expect(fake.journal.summarize().peakInFlight).toBe(2_000);
    for (const pending of requests) pending.destroy();
    await fake.journal.waitFor((entries) => entries.every(({ ending }) => ending === 'left'));
  });
});
