import { ManualClock } from '@annals/domain';
import { type AnthropicChatServer, startAnthropicChatServer } from '@annals/testing';
import type { JsonObject } from '../../parsing/json-tree.js';
import type { ChatAnswer, ChatRequest } from '../chat-upstream.js';
import { AnthropicChat } from './anthropic-chat.js';

const NOW = Date.UTC(2026, 10, 28, 12);
export const CREATED = NOW / 1_000;
export const HI = { role: 'user', content: 'Hi.' };
export const TOOLS = [
  { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } },
];

/** A Messages API for one spec file, new for each test, and the upstream in front of it. */
export class ChatBench {
  server!: AnthropicChatServer;
  private readonly connected: AnthropicChat[] = [];

  /** Starts and ends with each test. */
  static use(): ChatBench {
    const bench = new ChatBench();
    beforeEach(async () => {
      bench.server = await startAnthropicChatServer();
    });
    afterEach(async () => {
      await Promise.all(bench.connected.splice(0).map((chat) => chat.close()));
      await bench.server.close();
    });
    return bench;
  }

  connect(baseUrl = this.server.origin): AnthropicChat {
    const chat = new AnthropicChat({ baseUrl, timeoutMs: 60_000, clock: new ManualClock(NOW) });
    this.connected.push(chat);
    return chat;
  }

  send(fields: JsonObject = {}, request: Partial<ChatRequest> = {}, chat = this.connect()): Promise<ChatAnswer> {
    const body = Buffer.from(JSON.stringify({ model: 'claude-haiku-5-5', messages: [HI], ...fields }));
    return chat.complete({ body, apiKey: 'sk-caller', signal: new AbortController().signal, ...request });
  }
}

export async function readAll(answer: ChatAnswer): Promise<string> {
  let text = '';
  for await (const piece of answer.body) text += String(piece);
  return text;
}

export async function readJson(answer: ChatAnswer): Promise<unknown> {
  return JSON.parse(await readAll(answer));
}

/** The data of server-sent events. */
export function parseChunks(text: string): unknown[] {
  return text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => (event === 'data: [DONE]' ? '[DONE]' : JSON.parse(event.replace(/^data: /, ''))));
}

/** What each chunk adds to its answer. */
export function listDeltas(chunks: readonly unknown[]): unknown[] {
  return (chunks as { choices?: { delta: unknown; finish_reason: unknown }[] }[]).flatMap(({ choices = [] }) =>
    choices.map(({ delta, finish_reason: reason }) => (reason === null ? delta : { delta, reason })),
  );
}

export const THOUGHTFUL = {
  kind: 'message' as const,
  content: [
    { type: 'thinking' as const, thinking: 'Two cities.', signature: 'sig-1' },
    { type: 'redacted_thinking' as const, data: 'abc' },
    { type: 'text' as const, text: 'I look.' },
    { type: 'tool_use' as const, id: 'toolu_1', name: 'weather', input: { city: 'Rome' } },
    { type: 'tool_use' as const, id: 'toolu_2', name: 'weather', input: {} },
  ],
};
