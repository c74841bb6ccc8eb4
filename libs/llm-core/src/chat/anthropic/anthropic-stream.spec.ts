import { StreamGate } from '@annals/testing';
import type { JsonObject } from '../../parsing/json-tree.js';
import { ChatBench, CREATED, HI, TOOLS, readAll, parseChunks, listDeltas, THOUGHTFUL } from './chat-bench.fixture.js';

const bench = ChatBench.use();

describe('a stream of AnthropicChat', () => {
  it('streams role, thinking, text and calls in pieces, then the end', async () => {
    bench.server.plan(THOUGHTFUL);
    const answer = await bench.send({ stream: true, tools: TOOLS, seed: 1 });
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
    expect(listDeltas(chunks.slice(0, -1))).toEqual([
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
    const answer = await bench.send({ stream: true, stream_options: { include_usage: true } });
    const chunks = parseChunks(await readAll(answer)) as JsonObject[];
    const { inputTokens, outputTokens } = answer.outcome().usage!;
    expect(chunks.at(-2)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
    });
    expect(chunks.slice(0, -2).every(({ usage }) => usage === null)).toBe(true);
    const without = parseChunks(await readAll(await bench.send({ stream: true }))) as JsonObject[];
    expect(without.slice(0, -1).every((chunk) => !('usage' in chunk))).toBe(true);
  });

  it('does not give a client the usage that it did not ask for', async () => {
    const body = { model: 'claude-haiku-5-5', messages: [HI], stream: true, stream_options: { include_usage: true } };
    const answer = await bench.connect().complete({
      body: Buffer.from(JSON.stringify(body)),
      apiKey: 'sk-caller',
      signal: new AbortController().signal,
      withholdsUsage: true,
    });
    const chunks = parseChunks(await readAll(answer)) as JsonObject[];
    expect(chunks.slice(0, -1).every((chunk) => !('usage' in chunk))).toBe(true);
    expect(answer.outcome().usage?.inputTokens).toBeGreaterThan(0);
  });

  it('gives each piece of a stream when it comes', async () => {
    const gate = new StreamGate();
    bench.server.plan({ kind: 'message', content: [{ type: 'text', text: 'AB' }], gate });
    const answer = await bench.send({ stream: true });
    const pieces = answer.body[Symbol.asyncIterator]();
    const next = async (): Promise<unknown> => listDeltas(parseChunks(String((await pieces.next()).value)))[0];
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
});
