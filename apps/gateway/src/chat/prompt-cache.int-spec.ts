import {
  BlockCache,
  type CachingRules,
  type PromptBlock,
  readAnthropicBlocks,
  readBreakpointMode,
  readOpenAIBlocks,
} from '@annals/testing';
import type OpenAI from 'openai';
import { type ChatSystem, CLAUDE_MODEL, startChatSystem } from './chat.fixture.js';

type Message = OpenAI.ChatCompletionMessageParam;
type Body = Readonly<Record<string, unknown>>;

/** Long enough for every provider to keep it. */
const SYSTEM: Message = {
  role: 'system',
  content: 'You are a patient guide to the animals of the house. '.repeat(120),
};
const TOOLS = [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } }];

interface Provider {
  readonly name: string;
  readonly model: string;
  readonly rules: CachingRules;
}

const PROVIDERS: readonly Provider[] = [
  { name: 'models of OpenAI before GPT-5.6', model: 'gpt-4o-mini', rules: 'openai-prefix' },
  { name: 'models of OpenAI from GPT-5.6', model: 'gpt-6-luna', rules: 'openai-breakpoints' },
  { name: 'Claude', model: CLAUDE_MODEL, rules: 'anthropic' },
];

/** What a client sends, turn by turn: each request repeats the ones before it, as chats do. */
function* listRequests(model: string, turns: number, answer: (turn: number) => string): Generator<Body> {
  const messages: Message[] = [SYSTEM];
  for (let turn = 1; turn <= turns; turn += 1) {
    messages.push({ role: 'user', content: `Question ${turn} about my dog, my cat and the place where they sleep?` });
    yield { model, messages: [...messages], tools: TOOLS };
    messages.push({ role: 'assistant', content: answer(turn) });
  }
}

function measurePrefix(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

describe('the prompt cache of the upstream', () => {
  let system: ChatSystem;
  let key: string;
  beforeAll(async () => {
    system = await startChatSystem({ env: { ANNALS_CHAT_UPSTREAM_FREE: 'true' } });
    key = system.key;
    await system.remember('ada', 'The user has a dog named Rex.');
    await system.remember('ada', 'The user has a cat named Mia.');
  });
  afterAll(() => system?.close());

  const rawOf = (isClaude: boolean) =>
    isClaude ? system.anthropic.requests.at(-1)!.raw.toString() : system.openai.requests.at(-1)!.raw;
  /** What the upstream gets of these requests. */
  const proxy = async (
    requests: Iterable<Body>,
    isClaude: boolean,
    headers: Record<string, string>,
  ): Promise<string[]> => {
    const raws: string[] = [];
    for (const body of requests) {
      const { status, body: answer } = await system.gateway.send(key, 'POST', '/v1/chat/completions', {
        body,
        headers,
      });
      expect([status, answer]).toEqual([200, expect.anything()]);
      raws.push(rawOf(isClaude));
    }
    return raws;
  };
  const measure = (raws: readonly string[], { rules }: Provider) => {
    const cache = new BlockCache(rules);
    return raws.map((raw) => {
      const body = JSON.parse(raw) as Body;
      const blocks: PromptBlock[] = rules === 'anthropic' ? readAnthropicBlocks(body) : readOpenAIBlocks(body);
      return cache.request(blocks, readBreakpointMode(body)).readTokens;
    });
  };

  describe.each(PROVIDERS)('of $name', (provider) => {
    const isClaude = provider.rules === 'anthropic';

    it.each([2, 20])('hits in a chat of %d turns at least as often as without the proxy', async (turns) => {
      const requests = [...listRequests(provider.model, turns, () => 'Hello.')];
      const bare = await proxy(requests, isClaude, {});
      const headers = { 'x-annals-user': 'ada', 'x-annals-thread': `${provider.name}-${turns}` };
      const ours = await proxy(requests, isClaude, headers);
      expect(ours.every((raw) => raw.includes('<annals-memory>'))).toBe(true);
      const [without, withMemory] = [measure(bare, provider), measure(ours, provider)];
      for (const [turn, read] of withMemory.entries()) expect([turn, read >= without[turn]!]).toEqual([turn, true]);
      expect(withMemory.slice(1).every((read) => read > 0)).toBe(true);
    });

    it('sees the whole of the former request again, up to what its client said last', async () => {
      const requests = [...listRequests(provider.model, 2, () => 'Hello.')];
      const headers = { 'x-annals-user': 'ada', 'x-annals-thread': `${provider.name}-prefix` };
      const [first, second] = await proxy(requests, isClaude, headers);
      const lastWords = first!.indexOf('where they sleep?');
      expect(lastWords).toBeGreaterThan(1_000);
      const unmark = (raw: string) =>
        raw
          .replace(
            /\[\{"type":"text","text":("(?:[^"\\]|\\.)*"),"prompt_cache_breakpoint":\{"mode":"explicit"\}\}\]/g,
            '$1',
          )
          .replaceAll(',"cache_control":{"type":"ephemeral"}', '');
      expect(measurePrefix(unmark(first!), unmark(second!))).toBeGreaterThan(
        unmark(first!).indexOf('where they sleep?'),
      );
    });

    it('hits in a loop of tools', async () => {
      const base: Message[] = [SYSTEM, { role: 'user', content: 'How are my dog and my cat?' }];
      const call = (id: string): Message => ({
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }],
      });
      const result = (id: string): Message => ({ role: 'tool', tool_call_id: id, content: 'Asleep.' });
      const steps = [
        base,
        [...base, call('a'), result('a')],
        [...base, call('a'), result('a'), call('b'), result('b')],
      ];
      const requests = steps.map((messages) => ({ model: provider.model, messages, tools: TOOLS }));
      const bare = measure(await proxy(requests, isClaude, {}), provider);
      const headers = { 'x-annals-user': 'ada', 'x-annals-thread': `${provider.name}-tools` };
      const ours = measure(await proxy(requests, isClaude, headers), provider);
      for (const [step, read] of ours.entries()) expect([step, read >= bare[step]!]).toEqual([step, true]);
      expect(ours.slice(1).every((read) => read > 0)).toBe(true);
    });

    it('keeps the profile of a conversation as long as it lasts', async () => {
      const headers = { 'x-annals-user': 'ada', 'x-annals-thread': `${provider.name}-profile` };
      const requests = [...listRequests(provider.model, 3, () => 'Hello.')].map((body) => ({
        ...body,
        memory: { profile: true },
      }));
      const raws: string[] = [];
      for (const [index, request] of requests.entries()) {
        raws.push(...(await proxy([request], isClaude, headers)));
        await system.remember('ada', `The user has ${index + 2} fish.`);
      }
      const profiles = raws.map((raw) => /<annals-profile>.*?<\/annals-profile>/.exec(raw)![0]);
      expect(new Set(profiles).size).toBe(1);
      expect(profiles[0]).toContain('Rex');
      expect(
        measure(raws, provider)
          .slice(1)
          .every((read) => read > 0),
      ).toBe(true);
    });

    it('is used by the marks of a client that sets its own', async () => {
      if (provider.rules === 'openai-prefix') return;
      const mark = isClaude
        ? { cache_control: { type: 'ephemeral' } }
        : { prompt_cache_breakpoint: { mode: 'explicit' } };
      const requests = [...listRequests(provider.model, 3, () => 'Hello.')].map((body) => {
        const messages = (body['messages'] as Message[]).map((message, index, all) =>
          index === 0 || index === all.length - 1
            ? { ...message, content: [{ type: 'text', text: message.content, ...mark }] }
            : message,
        );
        return { ...body, messages };
      });
      const headers = { 'x-annals-user': 'ada', 'x-annals-thread': `${provider.name}-own` };
      const bare = measure(await proxy(requests, isClaude, {}), provider);
      const ours = measure(await proxy(requests, isClaude, headers), provider);
      for (const [turn, read] of ours.entries()) expect([turn, read >= bare[turn]!]).toEqual([turn, true]);
    });
  });
});
