import Anthropic, { APIError } from '@anthropic-ai/sdk';
import type { MessageCreateParamsNonStreaming, MessageParam } from '@anthropic-ai/sdk/resources/messages';
import { waitUntil } from '../../waiting/wait-until.js';
import { type AnthropicChatServer, startAnthropicChatServer } from './anthropic-chat-server.js';
import { BlockCache } from './prompt-cache.js';
import { StreamGate } from './stream-gate.js';

let server: AnthropicChatServer;
beforeEach(async () => {
  server = await startAnthropicChatServer();
});
afterEach(() => server.close());

const client = () => new Anthropic({ apiKey: 'sk-a', baseURL: server.origin, maxRetries: 0, logLevel: 'off' });
const user = (content: MessageParam['content'] = 'Hi.'): MessageParam => ({ role: 'user', content });
const request = (fields: Record<string, unknown> = {}): MessageCreateParamsNonStreaming => ({
  model: 'claude-haiku-5-5',
  max_tokens: 1_000,
  messages: [user()],
  ...fields,
});
const TOOL = { name: 'weather', input_schema: { type: 'object' as const } };
const use = (id: string) => ({ type: 'tool_use' as const, id, name: 'weather', input: {} });
const result = (id: string) => ({ type: 'tool_result' as const, tool_use_id: id, content: '12 °C' });
const EPHEMERAL = { type: 'ephemeral' as const };

async function sendForError(fields: Record<string, unknown>): Promise<APIError> {
  const error: unknown = await client()
    .messages.create(request(fields))
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(APIError);
  return error as APIError;
}

describe('startAnthropicChatServer', () => {
  it('answers by plan, the same streamed or not', async () => {
    const answer = {
      kind: 'message' as const,
      content: [
        { type: 'thinking' as const, thinking: 'Two cities.', signature: 'sig-1' },
        { type: 'text' as const, text: 'I look.' },
        { type: 'tool_use' as const, id: 'toolu_1', name: 'weather', input: { city: 'Rome' } },
        { type: 'tool_use' as const, id: 'toolu_2', name: 'weather', input: { city: 'Oslo' } },
      ],
    };
    server.plan(answer, answer);
    const whole = await client().messages.create(request({ tools: [TOOL] }));
    const streamed = await client()
      .messages.stream(request({ tools: [TOOL] }))
      .finalMessage();
    expect(whole.stop_reason).toBe('tool_use');
    expect(whole.content).toMatchObject(answer.content);
    expect(streamed.content).toEqual(whole.content);
    expect({ ...streamed.usage, input_tokens: 0 }).toEqual({ ...whole.usage, input_tokens: 0 });
    expect(server.requests.map(({ apiKey, status, hasLeft }) => ({ apiKey, status, hasLeft }))).toEqual(
      Array.from({ length: 2 }, () => ({ apiKey: 'sk-a', status: 200, hasLeft: false })),
    );
    expect(JSON.parse(server.requests[0]!.raw.toString())).toEqual(server.requests[0]!.body);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an unknown field', { logit_bias: {} }, 'logit_bias: Extra inputs are not permitted'],
    ['a temperature', { temperature: 1 }, 'temperature: Extra inputs are not permitted'],
    ['no max_tokens', { max_tokens: undefined }, 'max_tokens: Field required'],
    ['no messages', { messages: [] }, 'messages: Too small'],
    ['an unknown field of a block', { messages: [user([{ type: 'text', text: 'a', x: 1 } as never])] }, 'x: Extra'],
    ['an empty text', { messages: [user([{ type: 'text', text: '' }])] }, 'text content blocks must be non-empty'],
    ['a blank text', { system: [{ type: 'text', text: ' ' }] }, 'non-whitespace'],
    ['a first message of the assistant', { messages: [{ role: 'assistant', content: 'a' }, user()] }, 'first message'],
    ['a prefill', { messages: [user(), { role: 'assistant', content: 'a' }] }, 'prefill'],
    ['a misplaced system message', { messages: [user(), { role: 'system', content: 'a' }, user()] }, 'system message'],
    [
      'a tool use without a result',
      { messages: [user(), { role: 'assistant', content: [use('a')] }, user()] },
      'without `tool_result`',
    ],
    ['a result without a tool use', { messages: [user([result('a')])] }, 'unexpected `tool_use_id`'],
    [
      'a result after a text',
      { messages: [user(), { role: 'assistant', content: [use('a')] }, user(), user([result('a')])] },
      'must come first',
    ],
    [
      'a forged thinking block',
      {
        messages: [
          user(),
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'a', signature: 'b' },
              { type: 'text', text: 'a' },
            ],
          },
          user(),
        ],
      },
      'Invalid `signature`',
    ],
    [
      'five marks',
      { messages: [user(Array.from({ length: 5 }, () => ({ type: 'text', text: 'a', cache_control: EPHEMERAL })))] },
      'Found 5',
    ],
    ['two tools of one name', { tools: [TOOL, TOOL] }, 'must be unique'],
    ['a choice without tools', { tool_choice: { type: 'auto' } }, 'while providing tools'],
    ['a choice of another tool', { tools: [TOOL], tool_choice: { type: 'tool', name: 'x' } }, 'not found'],
    [
      'a forced tool on Sonnet',
      { model: 'claude-sonnet-5-5', tools: [TOOL], tool_choice: { type: 'any' } },
      'forces tool use',
    ],
    ['thinking with a budget', { thinking: { type: 'enabled', budget_tokens: 2_000 } }, 'thinking'],
    [
      'an open schema',
      { output_config: { format: { type: 'json_schema', schema: { type: 'object', properties: {} } } } },
      'additionalProperties',
    ],
    ['a blank stop sequence', { stop_sequences: [' '] }, 'stop_sequences.0'],
    ['an image of another kind', { messages: [user([{ type: 'image', source: { type: 'x' } } as never])] }, 'source'],
  ])('rejects %s', async (_, fields, message) => {
    const error = await sendForError(fields);
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error' });
    expect(error.message).toContain(message);
  });

  it('accepts a tool loop with merged turns, thinking and a system message at its place', async () => {
    const thinking = { type: 'thinking' as const, thinking: 'Hm.', signature: 'sig-1' };
    server.plan({ kind: 'message', content: [thinking, use('a'), use('b')] });
    const { content } = await client().messages.create(request({ tools: [TOOL] }));
    const messages: MessageParam[] = [
      user(),
      { role: 'assistant', content },
      user([result('a')]),
      user([result('b'), { type: 'text', text: 'And?' }]),
      { role: 'system', content: 'Be brief.' },
    ];
    const answer = await client().messages.create(request({ tools: [TOOL], messages }));
    expect(answer.content).toMatchObject([{ type: 'text', text: 'Hello.' }]);
  });

  it('answers an unknown model with 404 and a planned error with its headers', async () => {
    expect(await sendForError({ model: 'gpt-6-luna' })).toMatchObject({ status: 404, type: 'not_found_error' });
    server.plan({ kind: 'error', status: 429, message: 'Slow down.', headers: { 'retry-after': '7' } });
    const error = await sendForError({});
    expect(error).toMatchObject({ status: 429, type: 'rate_limit_error', requestID: 'req_2' });
    expect(error.headers?.get('retry-after')).toBe('7');
  });

  it('breaks a stream off, or ends it with an error', async () => {
    const content = [{ type: 'text' as const, text: 'Half of it.' }];
    server.plan(
      { kind: 'message', content, breakAfter: 4 },
      { kind: 'message', content, failAfter: { events: 4, type: 'overloaded_error', message: 'Overloaded' } },
    );
    const streamFully = async (): Promise<void> => {
      for await (const _ of await client().messages.create({ ...request(), stream: true })) continue;
    };
    await expect(streamFully()).rejects.not.toBeInstanceOf(APIError);
    await expect(streamFully()).rejects.toMatchObject({ type: 'overloaded_error', status: undefined });
  });

  it('holds a stream back until it is released, and notes a caller who leaves', async () => {
    const gate = new StreamGate();
    server.plan({ kind: 'message', content: [{ type: 'text', text: 'Slowly.' }], gate });
    const stream = await client().messages.create({ ...request(), stream: true });
    const events = stream[Symbol.asyncIterator]();
    gate.release(1);
    expect(await events.next()).toMatchObject({ value: { type: 'message_start' } });
    expect(server.requests[0]!.hasLeft).toBe(false);
    stream.controller.abort();
    await waitUntil(() => server.requests[0]!.hasLeft, { describe: 'the server noticed that the caller left' });
  });

  it('lists models', async () => {
    const { data } = await client().models.list();
    expect(data.map(({ id }) => id)).toContain('claude-haiku-5-5');
  });

  it('reports usage by the rules of its cache', async () => {
    await server.close();
    server = await startAnthropicChatServer({ cache: new BlockCache('anthropic') });
    const system = [{ type: 'text' as const, text: 'x'.repeat(4_000), cache_control: EPHEMERAL }];
    const first = await client().messages.create(request({ system }));
    const second = await client().messages.create(request({ system }));
    expect(first.usage).toMatchObject({ cache_read_input_tokens: 0 });
    expect(first.usage.cache_creation_input_tokens).toBeGreaterThan(1_000);
    expect(second.usage).toMatchObject({
      cache_read_input_tokens: first.usage.cache_creation_input_tokens,
      cache_creation_input_tokens: 0,
      input_tokens: first.usage.input_tokens,
    });
  });
});
