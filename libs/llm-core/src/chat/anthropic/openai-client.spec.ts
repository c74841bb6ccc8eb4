import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { BlockCache, listenOnLoopback, readAnthropicBlocks, StreamGate, waitUntil } from '@annals/testing';
import OpenAI, { APIError, BadRequestError, RateLimitError } from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { ANTHROPIC_CACHE_MARK, spliceRequest } from '../splice-request.js';
import { ChatBench } from './chat-bench.fixture.js';

const bench = ChatBench.use();
let relay: Awaited<ReturnType<typeof listenOnLoopback>>;
/** What Annals puts into each request; null for nothing. */
let memory: string | null;

beforeEach(async () => {
  memory = null;
  const chat = bench.connect();
  relay = await listenOnLoopback(createServer((request, response) => void serve(chat, request, response)));
});
afterEach(() => relay.close());

async function serve(
  chat: ReturnType<ChatBench['connect']>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const leaving = new AbortController();
  response.on('close', () => leaving.abort());
  const sent = (await buffer(request)).toString();
  const placed = memory === null ? null : { text: memory, placement: 'tail' as const };
  const additions = { profile: null, memory: placed, cacheMark: ANTHROPIC_CACHE_MARK, usage: false };
  const body = Buffer.from(memory === null ? sent : spliceRequest(sent, additions));
  try {
    const answer = await chat.complete({ body, apiKey: 'sk-caller', signal: leaving.signal });
    response.writeHead(answer.status, answer.headers);
    for await (const piece of answer.body) response.write(piece);
  } catch {
    // The client has left.
  }
  response.end();
}

const client = () => new OpenAI({ apiKey: 'sk-annals', baseURL: `${relay.origin}/v1`, maxRetries: 0, logLevel: 'off' });
const TOOLS: ChatCompletionTool[] = [
  { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } },
];
const params = (messages: ChatCompletionMessageParam[]) => ({
  model: 'claude-haiku-5-5',
  messages,
  tools: TOOLS,
});
const QUESTION: ChatCompletionMessageParam = { role: 'user', content: 'Is it warmer in Rome or in Oslo?' };
const THINKING = { type: 'thinking' as const, thinking: 'Two cities.', signature: 'sig-1' };
const USES = [
  { type: 'tool_use' as const, id: 'toolu_1', name: 'weather', input: { city: 'Rome' } },
  { type: 'tool_use' as const, id: 'toolu_2', name: 'weather', input: { city: 'Oslo' } },
];

const ASK: Record<string, (messages: ChatCompletionMessageParam[]) => Promise<OpenAI.ChatCompletion>> = {
  whole: (messages) => client().chat.completions.create(params(messages)),
  streamed: (messages) => client().chat.completions.stream(params(messages)).finalChatCompletion(),
};

describe('the official client of OpenAI', () => {
  it.each(Object.keys(ASK))('goes on in a tool loop with thinking: %s', async (how) => {
    bench.server.plan(
      { kind: 'message', content: [THINKING, { type: 'text', text: 'I look.' }, ...USES] },
      {
        kind: 'message',
        content: [{ ...THINKING, thinking: 'Only one.', signature: 'sig-2' }, USES[0]!].map(renameUse),
      },
      { kind: 'message', content: [{ type: 'text', text: 'In Rome.' }] },
    );
    const messages: ChatCompletionMessageParam[] = [QUESTION];
    for (;;) {
      const [choice] = (await ASK[how]!(messages)).choices;
      messages.push(choice!.message);
      const calls = choice!.message.tool_calls ?? [];
      if (calls.length === 0) break;
      expect(choice!.finish_reason).toBe('tool_calls');
      messages.push(...calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: '12 °C' })));
    }
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: 'In Rome.' });
    expect(bench.server.requests.map(({ status }) => status)).toEqual([200, 200, 200]);
    const last = bench.server.requests.at(-1)!.body.messages as { role: string; content: object[] }[];
    expect(last.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(last[1]!.content).toEqual([THINKING, { type: 'text', text: 'I look.' }, ...USES]);
  });

  it('reads a stream with its usage, without what it did not ask for', async () => {
    const stream = await client().chat.completions.create({
      ...params([QUESTION]),
      stream: true,
      stream_options: { include_usage: true },
    });
    const texts: string[] = [];
    let usage: OpenAI.CompletionUsage | null | undefined;
    for await (const chunk of stream) {
      texts.push(chunk.choices[0]?.delta.content ?? '');
      usage = chunk.usage ?? usage;
    }
    expect(texts.join('')).toBe('Hello.');
    expect(usage!.total_tokens).toBe(usage!.prompt_tokens + usage!.completion_tokens);
  });

  it('throws an error of its own for one of the upstream', async () => {
    bench.server.plan({ kind: 'error', status: 429, message: 'Slow down.', headers: { 'retry-after': '7' } });
    const error: unknown = await ASK.whole!([QUESTION]).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, code: 'rate_limit_error', type: 'rate_limit_error' });
    expect((error as APIError).message).toContain('Slow down.');
    expect((error as APIError).headers!.get('retry-after')).toBe('7');
  });

  it('throws an error that names the field for what Claude cannot do', async () => {
    const error: unknown = await client()
      .chat.completions.create({ ...params([QUESTION]), logprobs: true })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ param: 'logprobs', code: 'unsupported_parameter', type: 'invalid_request_error' });
  });

  it.each([
    ['ends with an error', { failAfter: { events: 4, type: 'overloaded_error', message: 'Overloaded' } }, 'Overloaded'],
    ['breaks off', { breakAfter: 4 }, 'broke off'],
  ])('throws when a stream %s', async (_, ending, message) => {
    bench.server.plan({ kind: 'message', content: [{ type: 'text', text: 'Half of it.' }], ...ending });
    const texts: string[] = [];
    const read = async (): Promise<void> => {
      const stream = await client().chat.completions.create({ ...params([QUESTION]), stream: true });
      for await (const { choices } of stream) texts.push(choices[0]!.delta.content ?? '');
    };
    const error: unknown = await read().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(APIError);
    expect((error as APIError).message).toContain(message);
    expect(texts.join('')).toBe('Half o');
  });

  it('ends the request to the upstream by leaving', async () => {
    const gate = new StreamGate();
    bench.server.plan({ kind: 'message', content: [{ type: 'text', text: 'AB' }], gate });
    gate.release(4);
    const stream = await client().chat.completions.create({ ...params([QUESTION]), stream: true });
    for await (const { choices } of stream) if (choices[0]!.delta.content) break;
    await waitUntil(() => bench.server.requests[0]!.hasLeft, { describe: 'the upstream noticed that the client left' });
  });

  it('has its own words read from the prompt cache although memories change at each turn', async () => {
    const messages: ChatCompletionMessageParam[] = [{ role: 'system', content: 'x'.repeat(4_000) }];
    const usages: OpenAI.CompletionUsage[] = [];
    for (const turn of [1, 2, 3]) {
      memory = `Memories of turn ${turn}.`;
      messages.push({ role: 'user', content: `Question ${turn}?` });
      const { choices, usage } = await ASK.whole!(messages);
      messages.push(choices[0]!.message);
      usages.push(usage!);
    }
    const kept = usages.map(
      ({ prompt_tokens_details: details }) => details!.cached_tokens! + details!.cache_write_tokens!,
    );
    expect(usages.map(({ prompt_tokens_details: details }) => details!.cached_tokens)).toEqual([0, kept[0], kept[1]]);
    // A client that sends the same without memories, and marks its last block, reads no more.
    const bare = new BlockCache('anthropic');
    const reads = bench.server.requests.map(({ body }) => {
      const blocks = readAnthropicBlocks(body).filter(({ text }) => !text.includes('Memories of turn'));
      return bare.request(blocks).readTokens;
    });
    expect(usages.map(({ prompt_tokens_details: details }) => details!.cached_tokens)).toEqual(reads);
  });
});

/** Ids are not used twice in a conversation. */
function renameUse<Block extends object>(block: Block): Block {
  return 'id' in block ? { ...block, id: `${String(block.id)}_again` } : block;
}
