import { createServer } from 'node:http';
import { ManualClock } from '@annals/domain';
import { type AnthropicChatServer, StreamGate, startAnthropicChatServer, waitUntil } from '@annals/testing';
import { LLMError } from '../../provider/llm-error.js';
import type { ChatAnswer } from '../chat-upstream.js';
import { AnthropicChat } from './anthropic-chat.js';
import { FIELD_SHAPES } from './field-shapes.fixture.js';
import type { Fields } from './json-fields.js';
import { LOOP_SHAPES } from './loop-shapes.fixture.js';
import { MESSAGE_SHAPES } from './message-shapes.fixture.js';

const NOW = Date.UTC(2026, 10, 28, 12);
const CREATED = NOW / 1_000;
const HI = { role: 'user', content: 'Hi.' };
const TOOLS = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }];

let server: AnthropicChatServer;
beforeEach(async () => {
  server = await startAnthropicChatServer();
});
afterEach(() => server.close());

const connected: AnthropicChat[] = [];
afterEach(async () => {
  await Promise.all(connected.splice(0).map((chat) => chat.close()));
});

function connect(baseUrl = server.origin): AnthropicChat {
  const chat = new AnthropicChat({ baseUrl, timeoutMs: 60_000, clock: new ManualClock(NOW) });
  connected.push(chat);
  return chat;
}

function send(fields: Fields = {}, signal = new AbortController().signal, chat = connect()): Promise<ChatAnswer> {
  const body = Buffer.from(JSON.stringify({ model: 'claude-haiku-5-5', messages: [HI], ...fields }));
  return chat.complete({ body, apiKey: 'sk-caller', signal });
}

async function readAll(answer: ChatAnswer): Promise<string> {
  let text = '';
  for await (const piece of answer.body) text += String(piece);
  return text;
}

const readJson = async (answer: ChatAnswer): Promise<unknown> => JSON.parse(await readAll(answer));

function parseChunks(text: string): unknown[] {
  return text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => (event === 'data: [DONE]' ? '[DONE]' : JSON.parse(event.replace(/^data: /, ''))));
}

const deltas = (chunks: readonly unknown[]): unknown[] =>
  (chunks as { choices?: { delta: unknown; finish_reason: unknown }[] }[]).flatMap(({ choices = [] }) =>
    choices.map(({ delta, finish_reason: reason }) => (reason === null ? delta : { delta, reason })),
  );

const THOUGHTFUL = {
  kind: 'message' as const,
  content: [
    { type: 'thinking' as const, thinking: 'Two cities.', signature: 'sig-1' },
    { type: 'redacted_thinking' as const, data: 'abc' },
    { type: 'text' as const, text: 'I look.' },
    { type: 'tool_use' as const, id: 'toolu_1', name: 'weather', input: { city: 'Rome' } },
    { type: 'tool_use' as const, id: 'toolu_2', name: 'weather', input: {} },
  ],
};

describe('AnthropicChat', () => {
  it('sends what only the real API could reject', async () => {
    // These models and fields are beyond what the server in tests knows.
    const shapes = [...MESSAGE_SHAPES, ...LOOP_SHAPES, ...FIELD_SHAPES];
    for (const { name, request } of shapes) {
      const answer = await send(request);
      expect({ name, status: answer.status, body: answer.status === 200 ? '' : await readAll(answer) }).toEqual({
        name,
        status: 200,
        body: '',
      });
    }
    expect(server.requests).toHaveLength(shapes.length);
    expect(server.requests.every(({ apiKey }) => apiKey === 'sk-caller')).toBe(true);
  });

  it('answers in the form of OpenAI', async () => {
    server.plan(THOUGHTFUL);
    const answer = await send({ tools: TOOLS, temperature: 1, user: 'anna' });
    expect(answer.outcome()).toEqual({ texts: [], usage: undefined, isComplete: false });
    expect(answer.headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '49',
      'x-upstream-request-id': 'req_1',
      'x-annals-ignored': 'temperature, user',
    });
    const { usage, ...completion } = (await readJson(answer)) as Fields;
    expect(completion).toEqual({
      id: 'msg_1',
      object: 'chat.completion',
      created: CREATED,
      model: 'claude-haiku-5-5',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'I look.',
            refusal: null,
            reasoning_content: 'Two cities.',
            thinking_blocks: [
              { type: 'thinking', thinking: 'Two cities.', signature: 'sig-1' },
              { type: 'redacted_thinking', data: 'abc' },
            ],
            tool_calls: [
              { id: 'toolu_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
              { id: 'toolu_2', type: 'function', function: { name: 'weather', arguments: '{}' } },
            ],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
    });
    const outcome = answer.outcome();
    expect(outcome).toMatchObject({ texts: ['I look.'], isComplete: true });
    expect(usage).toMatchObject({
      prompt_tokens: outcome.usage!.inputTokens,
      completion_tokens: outcome.usage!.outputTokens,
      total_tokens: outcome.usage!.inputTokens + outcome.usage!.outputTokens,
      prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    });
    const { completion_tokens_details: details } = usage as { completion_tokens_details: { reasoning_tokens: number } };
    expect(details.reasoning_tokens).toBeGreaterThan(0);
  });

  it('counts what was read from the prompt cache and written to it as prompt', async () => {
    const messages = [{ role: 'system', content: 'x'.repeat(4_000), cache_control: { type: 'ephemeral' } }, HI];
    const usages: Fields[] = [];
    for (const _ of [1, 2]) {
      const { usage } = (await readJson(await send({ messages }))) as { usage: Fields };
      usages.push(usage);
    }
    expect(usages[1]!.prompt_tokens).toBe(usages[0]!.prompt_tokens);
    expect(usages[0]!.prompt_tokens_details).toMatchObject({ cached_tokens: 0 });
    const { cache_write_tokens: written } = usages[0]!.prompt_tokens_details as { cache_write_tokens: number };
    expect(written).toBeGreaterThan(1_000);
    expect(usages[1]!.prompt_tokens_details).toEqual({ cached_tokens: written, cache_write_tokens: 0 });
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['pause_turn', 'length'],
    ['refusal', 'content_filter'],
  ] as const)('tells the end %s as %s, streamed or not', async (stop, expected) => {
    const content = [{ type: 'text' as const, text: 'A.' }];
    server.plan({ kind: 'message', content, stop }, { kind: 'message', content, stop });
    const completion = await readJson(await send());
    expect(completion).toMatchObject({ choices: [{ finish_reason: expected, message: { content: 'A.' } }] });
    const chunks = parseChunks(await readAll(await send({ stream: true })));
    expect(deltas(chunks.slice(0, -1)).at(-1)).toEqual({ delta: {}, reason: expected });
  });

  it('tells a refusal in words', async () => {
    const refusal = { kind: 'message' as const, content: [], stop: 'refusal' as const };
    server.plan({ ...refusal, explanation: 'Not this.' }, refusal, { ...refusal, explanation: 'Not this.' });
    expect(await readJson(await send())).toMatchObject({
      choices: [{ message: { content: null, refusal: 'Not this.' }, finish_reason: 'content_filter' }],
    });
    expect(await readJson(await send())).toMatchObject({
      choices: [{ message: { refusal: 'The model refused to answer.' } }],
    });
    const chunks = parseChunks(await readAll(await send({ stream: true })));
    expect(deltas(chunks.slice(0, -1))).toEqual([
      { role: 'assistant', content: '' },
      { refusal: 'Not this.' },
      { delta: {}, reason: 'content_filter' },
    ]);
  });

  it('streams role, thinking, text and calls in pieces, then the end', async () => {
    server.plan(THOUGHTFUL);
    const answer = await send({ stream: true, tools: TOOLS, seed: 1 });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-upstream-request-id': 'req_1',
      'x-annals-ignored': 'seed',
    });
    const chunks = parseChunks(await readAll(answer));
    expect(chunks[0]).toEqual({
      id: 'msg_1',
      object: 'chat.completion.chunk',
      created: CREATED,
      model: 'claude-haiku-5-5',
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }],
    });
    expect(chunks.at(-1)).toBe('[DONE]');
    expect(deltas(chunks.slice(0, -1))).toEqual([
      { role: 'assistant', content: '' },
      { reasoning_content: 'Two ci' },
      { reasoning_content: 'ties.' },
      { thinking_blocks: [{ index: 0, type: 'thinking', thinking: 'Two cities.', signature: 'sig-1' }] },
      { thinking_blocks: [{ index: 1, type: 'redacted_thinking', data: 'abc' }] },
      { content: 'I lo' },
      { content: 'ok.' },
      { tool_calls: [{ index: 0, id: 'toolu_1', type: 'function', function: { name: 'weather', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '"Rome"}' } }] },
      { tool_calls: [{ index: 1, id: 'toolu_2', type: 'function', function: { name: 'weather', arguments: '' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '{' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '}' } }] },
      { delta: {}, reason: 'tool_calls' },
    ]);
    expect(answer.outcome()).toMatchObject({ texts: ['I look.'], isComplete: true });
  });

  it('ends a stream with its usage only for those who ask', async () => {
    const answer = await send({ stream: true, stream_options: { include_usage: true } });
    const chunks = parseChunks(await readAll(answer)) as Fields[];
    const { inputTokens, outputTokens } = answer.outcome().usage!;
    expect(chunks.at(-2)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
    });
    expect(chunks.slice(0, -2).every(({ usage }) => usage === null)).toBe(true);
    const without = parseChunks(await readAll(await send({ stream: true }))) as Fields[];
    expect(without.slice(0, -1).every((chunk) => !('usage' in chunk))).toBe(true);
  });

  it('does not give a client the usage that it did not ask for', async () => {
    const body = { model: 'claude-haiku-5-5', messages: [HI], stream: true, stream_options: { include_usage: true } };
    const answer = await connect().complete({
      body: Buffer.from(JSON.stringify(body)),
      apiKey: 'sk-caller',
      signal: new AbortController().signal,
      withholdsUsage: true,
    });
    const chunks = parseChunks(await readAll(answer)) as Fields[];
    expect(chunks.slice(0, -1).every((chunk) => !('usage' in chunk))).toBe(true);
    expect(answer.outcome().usage?.inputTokens).toBeGreaterThan(0);
  });

  it('passes on the headers that mean something to Anthropic', async () => {
    const answer = await connect().complete({
      body: Buffer.from(JSON.stringify({ model: 'claude-haiku-5-5', messages: [HI] })),
      apiKey: 'sk-caller',
      signal: new AbortController().signal,
      headers: { 'anthropic-beta': 'a-1', 'openai-project': 'b', 'x-stainless-lang': 'c', 'idempotency-key': 'd' },
    });
    await readAll(answer);
    const { headers } = server.requests[0]!;
    expect(headers).toMatchObject({ 'anthropic-beta': 'a-1', 'idempotency-key': 'd' });
    expect(headers).not.toHaveProperty('openai-project');
    expect(headers['x-stainless-lang']).not.toBe('c');
  });

  it('ends its requests when it is closed', async () => {
    server.plan({ kind: 'hang' });
    const chat = connect();
    const waiting = send({}, undefined, chat).catch((error: unknown) => error);
    await waitUntil(() => server.requests.length === 1, { describe: 'the request arrived' });
    await chat.close();
    expect(await waiting).toBeInstanceOf(LLMError);
  });

  it('answers the older calls of functions in their form', async () => {
    const content = [{ type: 'tool_use' as const, id: 'toolu_1', name: 'weather', input: { city: 'Rome' } }];
    server.plan({ kind: 'message', content }, { kind: 'message', content });
    const functions = [{ name: 'weather' }];
    expect(await readJson(await send({ functions }))).toMatchObject({
      choices: [
        {
          message: { content: null, function_call: { name: 'weather', arguments: '{"city":"Rome"}' } },
          finish_reason: 'function_call',
        },
      ],
    });
    const chunks = parseChunks(await readAll(await send({ functions, stream: true })));
    expect(deltas(chunks.slice(0, -1)).slice(1)).toEqual([
      { function_call: { name: 'weather', arguments: '' } },
      { function_call: { arguments: '{"city":' } },
      { function_call: { arguments: '"Rome"}' } },
      { delta: {}, reason: 'function_call' },
    ]);
  });

  it('gives each piece of a stream when it comes', async () => {
    const gate = new StreamGate();
    server.plan({ kind: 'message', content: [{ type: 'text', text: 'AB' }], gate });
    const answer = await send({ stream: true });
    const pieces = answer.body[Symbol.asyncIterator]();
    const next = async (): Promise<unknown> => deltas(parseChunks(String((await pieces.next()).value)))[0];
    gate.release(1);
    expect(await next()).toEqual({ role: 'assistant', content: '' });
    expect(answer.outcome()).toMatchObject({ texts: [''], isComplete: false });
    // The ping, the start of the block and the first half of its text.
    gate.release(3);
    expect(await next()).toEqual({ content: 'A' });
    expect(answer.outcome()).toMatchObject({ texts: ['A'], isComplete: false });
    gate.open();
    expect(await next()).toEqual({ content: 'B' });
    while (!(await pieces.next()).done) continue;
    expect(answer.outcome()).toMatchObject({ texts: ['AB'], isComplete: true });
  });

  it.each([
    [401, 'authentication_error', 'authentication_error'],
    [403, 'permission_error', 'permission_error'],
    [413, 'invalid_request_error', 'request_too_large'],
    [429, 'rate_limit_error', 'rate_limit_error'],
    [500, 'server_error', 'api_error'],
    [529, 'server_error', 'overloaded_error'],
  ])('tells status %i of the upstream as an error of OpenAI', async (status, type, code) => {
    server.plan({ kind: 'error', status, message: 'Said there.', headers: { 'retry-after': '7', 'x-secret': 'a' } });
    const answer = await send({ seed: 1 });
    expect(answer.status).toBe(status);
    expect(answer.headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '49',
      'retry-after': '7',
      'x-upstream-request-id': 'req_1',
    });
    expect(await readJson(answer)).toEqual({ error: { message: 'Said there.', type, param: null, code } });
    expect(answer.outcome()).toEqual({ texts: [], usage: undefined, isComplete: false });
  });

  it('tells an error that is not in the form of the API by its status', async () => {
    server.plan({ kind: 'error', status: 502, message: '', body: '<html>secret</html>' });
    const answer = await send();
    expect(answer.status).toBe(502);
    expect(await readJson(answer)).toEqual({
      error: { message: 'The model’s server answered with status 502.', type: 'server_error', param: null, code: null },
    });
  });

  it('refuses what Claude cannot do before it is asked', async () => {
    const answer = await send({ n: 2 });
    expect(answer.status).toBe(400);
    expect(await readJson(answer)).toEqual({
      error: {
        message: 'n must be 1: Claude gives one answer to a request, so send the request again for more.',
        type: 'invalid_request_error',
        param: 'n',
        code: 'unsupported_parameter',
      },
    });
    const chat = connect();
    const { signal } = new AbortController();
    const broken = await chat.complete({ body: Buffer.from('{'), apiKey: 'sk-caller', signal });
    expect(await readJson(broken)).toMatchObject({ error: { message: 'The body must be a JSON object.' } });
    expect(server.requests).toEqual([]);
  });

  it('tells an error inside a stream, and that the answer is not complete', async () => {
    const content = [{ type: 'text' as const, text: 'Half of it.' }];
    server.plan({
      kind: 'message',
      content,
      failAfter: { events: 4, type: 'overloaded_error', message: 'Overloaded' },
    });
    const answer = await send({ stream: true });
    const chunks = parseChunks(await readAll(answer));
    expect(chunks.at(-1)).toEqual({
      error: { message: 'Overloaded', type: 'server_error', param: null, code: 'overloaded_error' },
    });
    expect(answer.outcome()).toMatchObject({ texts: ['Half o'], isComplete: false });
    expect(answer.outcome().usage?.inputTokens).toBeGreaterThan(0);
  });

  it.each([0, 4])('tells a stream that broke off after %i events', async (breakAfter) => {
    server.plan({ kind: 'message', content: [{ type: 'text', text: 'Half of it.' }], breakAfter });
    const answer = await send({ stream: true });
    const chunks = parseChunks(await readAll(answer));
    expect(chunks.at(-1)).toEqual({
      error: {
        message: 'The answer of the model broke off: send the request again.',
        type: 'server_error',
        param: null,
        code: 'upstream_broke_off',
      },
    });
    expect(answer.outcome().isComplete).toBe(false);
  });

  it('throws when the connection fails', async () => {
    server.plan({ kind: 'cut' });
    await expect(send()).rejects.toBeInstanceOf(LLMError);
    await expect(send()).resolves.toMatchObject({ status: 200 });
  });

  it('tells an answer that is no message', async () => {
    const odd = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[]}');
    });
    await new Promise<void>((resolve) => void odd.listen(0, '127.0.0.1', resolve));
    const address = odd.address() as { port: number };
    const answer = await send({}, undefined, connect(`http://127.0.0.1:${address.port}`));
    expect(answer.status).toBe(502);
    expect(await readJson(answer)).toMatchObject({ error: { type: 'server_error', code: 'upstream_broke_off' } });
    odd.closeAllConnections();
    odd.close();
  });

  it('ends with the reason of its signal, before the answer and within it', async () => {
    const reason = new Error('The client left.');
    server.plan({ kind: 'hang' });
    const first = new AbortController();
    const waiting = send({}, first.signal);
    await waitUntil(() => server.requests.length === 1, { describe: 'the request arrived' });
    first.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await waitUntil(() => server.requests[0]!.hasLeft, { describe: 'the upstream noticed the first end' });

    const gate = new StreamGate();
    server.plan({ kind: 'message', content: [{ type: 'text', text: 'AB' }], gate });
    const second = new AbortController();
    const answer = await send({ stream: true }, second.signal);
    gate.release(4);
    const pieces = answer.body[Symbol.asyncIterator]();
    await pieces.next();
    await pieces.next();
    second.abort(reason);
    await expect(pieces.next()).rejects.toBe(reason);
    expect(answer.outcome()).toMatchObject({ texts: ['A'], isComplete: false });
    await waitUntil(() => server.requests[1]!.hasLeft, { describe: 'the upstream noticed the second end' });
  });

  it('leaves the upstream when a reader stops', async () => {
    const gate = new StreamGate();
    server.plan({ kind: 'message', content: [{ type: 'text', text: 'AB' }], gate });
    const answer = await send({ stream: true });
    gate.release(1);
    for await (const _ of answer.body) break;
    await waitUntil(() => server.requests[0]!.hasLeft, { describe: 'the upstream noticed that nobody reads' });
  });

  it('takes names of ignored fields into its header only if they are names', async () => {
    const messages = [{ ...HI, 'a\r\nset-cookie: b': 1, ü: 1, name: 'anna' }];
    const answer = await send({ messages });
    expect(answer.headers['x-annals-ignored']).toBe('messages[].name');
  });

  it('lists models in the form of OpenAI', async () => {
    const { signal } = new AbortController();
    const answer = await connect().listModels({ apiKey: 'sk-caller', signal });
    const { object, data } = (await readJson(answer)) as { object: string; data: Fields[] };
    expect(object).toBe('list');
    expect(data[0]).toEqual({
      id: 'claude-haiku-5-5',
      object: 'model',
      created: Date.UTC(2026, 8, 28) / 1_000,
      owned_by: 'anthropic',
    });
    expect(answer.outcome()).toEqual({ texts: [], usage: undefined, isComplete: true });
    const refused = await connect()
      .listModels({ apiKey: '', signal })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 401 });
  });
});
