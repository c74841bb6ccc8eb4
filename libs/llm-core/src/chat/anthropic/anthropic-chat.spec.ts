import type { JsonObject } from '../../parsing/json-tree.js';
import {
  ChatBench,
  CREATED,
  HI,
  TOOLS,
  readAll,
  readJson,
  parseChunks,
  listDeltas,
  THOUGHTFUL,
} from './chat-bench.fixture.js';
import { FIELD_SHAPES } from './field-shapes.fixture.js';
import { LOOP_SHAPES } from './loop-shapes.fixture.js';
import { MESSAGE_SHAPES } from './message-shapes.fixture.js';

const bench = ChatBench.use();

describe('AnthropicChat', () => {
  it('sends nothing that the API rejects', async () => {
    const shapes = [...MESSAGE_SHAPES, ...LOOP_SHAPES, ...FIELD_SHAPES];
    for (const { name, request } of shapes) {
      const answer = await bench.send(request);
      expect({ name, status: answer.status, body: answer.status === 200 ? '' : await readAll(answer) }).toEqual({
        name,
        status: 200,
        body: '',
      });
    }
    expect(bench.server.requests).toHaveLength(shapes.length);
    expect(bench.server.requests.every(({ apiKey }) => apiKey === 'sk-caller')).toBe(true);
  });

  it('answers in the form of OpenAI', async () => {
    bench.server.plan(THOUGHTFUL);
    const answer = await bench.send({ tools: TOOLS, temperature: 1, user: 'anna' });
    expect(answer.outcome()).toEqual({ texts: [], usage: undefined, isComplete: false });
    expect(answer.headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '49',
      'x-upstream-request-id': 'req_1',
      'x-annals-ignored': 'temperature, user',
    });
    const { usage, ...completion } = (await readJson(answer)) as JsonObject;
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
    const usages: JsonObject[] = [];
    for (const _ of [1, 2]) {
      const { usage } = (await readJson(await bench.send({ messages }))) as { usage: JsonObject };
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
    bench.server.plan({ kind: 'message', content, stop }, { kind: 'message', content, stop });
    const completion = await readJson(await bench.send());
    expect(completion).toMatchObject({ choices: [{ finish_reason: expected, message: { content: 'A.' } }] });
    const chunks = parseChunks(await readAll(await bench.send({ stream: true })));
    expect(listDeltas(chunks.slice(0, -1)).at(-1)).toEqual({ delta: {}, reason: expected });
  });

  it('tells a refusal in words', async () => {
    const refusal = { kind: 'message' as const, content: [], stop: 'refusal' as const };
    bench.server.plan({ ...refusal, explanation: 'Not this.' }, refusal, { ...refusal, explanation: 'Not this.' });
    expect(await readJson(await bench.send())).toMatchObject({
      choices: [{ message: { content: null, refusal: 'Not this.' }, finish_reason: 'content_filter' }],
    });
    expect(await readJson(await bench.send())).toMatchObject({
      choices: [{ message: { refusal: 'The model refused to answer.' } }],
    });
    const chunks = parseChunks(await readAll(await bench.send({ stream: true })));
    expect(listDeltas(chunks.slice(0, -1))).toEqual([
      { role: 'assistant', content: '' },
      { refusal: 'Not this.' },
      { delta: {}, reason: 'content_filter' },
    ]);
  });

  it('passes on the headers that mean something to Anthropic', async () => {
    const answer = await bench.connect().complete({
      body: Buffer.from(JSON.stringify({ model: 'claude-haiku-5-5', messages: [HI] })),
      apiKey: 'sk-caller',
      signal: new AbortController().signal,
      headers: { 'anthropic-beta': 'a-1', 'openai-project': 'b', 'x-stainless-lang': 'c', 'idempotency-key': 'd' },
    });
    await readAll(answer);
    const { headers } = bench.server.requests[0]!;
    expect(headers).toMatchObject({ 'anthropic-beta': 'a-1', 'idempotency-key': 'd' });
    expect(headers).not.toHaveProperty('openai-project');
    expect(headers['x-stainless-lang']).not.toBe('c');
  });

  it('answers the older calls of functions in their form', async () => {
    const content = [{ type: 'tool_use' as const, id: 'toolu_1', name: 'weather', input: { city: 'Rome' } }];
    bench.server.plan({ kind: 'message', content }, { kind: 'message', content });
    const functions = [{ name: 'weather' }];
    expect(await readJson(await bench.send({ functions }))).toMatchObject({
      choices: [
        {
          message: { content: null, function_call: { name: 'weather', arguments: '{"city":"Rome"}' } },
          finish_reason: 'function_call',
        },
      ],
    });
    const chunks = parseChunks(await readAll(await bench.send({ functions, stream: true })));
    expect(listDeltas(chunks.slice(0, -1)).slice(1)).toEqual([
      { function_call: { name: 'weather', arguments: '' } },
      { function_call: { arguments: '{"city":' } },
      { function_call: { arguments: '"Rome"}' } },
      { delta: {}, reason: 'function_call' },
    ]);
  });

  it('writes nothing to the console about the model that a client chose', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const answer = await bench.send({
      model: 'claude-sonnet-4-5',
      max_tokens: 5_000,
      thinking: { type: 'enabled', budget_tokens: 2_000 },
    });
    expect(answer.status).toBe(200);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('takes names of ignored fields into its header only if they are names', async () => {
    const messages = [{ ...HI, 'a\r\nset-cookie: b': 1, ü: 1, name: 'anna' }];
    const answer = await bench.send({ messages });
    expect(answer.headers['x-annals-ignored']).toBe('messages[].name');
  });

  it('lists models in the form of OpenAI', async () => {
    const { signal } = new AbortController();
    const answer = await bench.connect().listModels({ apiKey: 'sk-caller', signal });
    const { object, data } = (await readJson(answer)) as { object: string; data: JsonObject[] };
    expect(object).toBe('list');
    expect(data[0]).toEqual({
      id: 'claude-haiku-5-5',
      object: 'model',
      created: Date.UTC(2026, 8, 28) / 1_000,
      owned_by: 'anthropic',
    });
    expect(answer.outcome()).toEqual({ texts: [], usage: undefined, isComplete: true });
    const refused = await bench
      .connect()
      .listModels({ apiKey: '', signal })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 401 });
  });
});
