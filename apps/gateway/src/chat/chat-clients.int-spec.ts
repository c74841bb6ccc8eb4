import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool as langChainTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, isStepCount, streamText, tool } from 'ai';
import type OpenAI from 'openai';
import { z } from 'zod';
import { type ChatSystem, CLAUDE_MODEL, OPENAI_MODEL, startChatSystem } from './chat.fixture.js';

const THREAD = { 'x-annals-user': 'ada', 'x-annals-thread': 't' };
const QUESTION = 'How warm is it where my dog Rex sleeps?';

interface Upstream {
  readonly name: string;
  readonly model: string;
  /** Plans an answer with a text, or one that calls tools in parallel. */
  planText(system: ChatSystem, text: string): void;
  planCalls(system: ChatSystem, places: readonly string[]): void;
  /** Everything that it got in its last request. */
  lastRequest(system: ChatSystem): string;
}

const UPSTREAMS: readonly Upstream[] = [
  {
    name: 'an OpenAI-compatible upstream',
    model: OPENAI_MODEL,
    planText: ({ openai }, text) => openai.plan({ kind: 'message', pieces: text.split(/(?<= )/) }),
    planCalls: ({ openai }, places) =>
      openai.plan({
        kind: 'message',
        toolCalls: places.map((place) => ({
          id: `call_${place}`,
          name: 'measure',
          arguments: JSON.stringify({ place }),
        })),
      }),
    lastRequest: ({ openai }) => openai.requests.at(-1)!.raw,
  },
  {
    name: 'Anthropic',
    model: CLAUDE_MODEL,
    planText: ({ anthropic }, text) => anthropic.plan({ kind: 'message', content: [{ type: 'text', text }] }),
    planCalls: ({ anthropic }, places) =>
      anthropic.plan({
        kind: 'message',
        content: places.map((place) => ({
          type: 'tool_use' as const,
          id: `toolu_${place}`,
          name: 'measure',
          input: { place },
        })),
      }),
    lastRequest: ({ anthropic }) => anthropic.requests.at(-1)!.raw.toString(),
  },
];

const DEGREES: Readonly<Record<string, string>> = { Faro: '18 °C', Porto: '16 °C' };
const measureOf = (place: string) => DEGREES[place] ?? 'unknown';
const PLACE = z.object({ place: z.string() });

describe.each(UPSTREAMS)('with base URL and key alone, on $name,', (upstream) => {
  let system: ChatSystem;
  beforeAll(async () => {
    system = await startChatSystem();
    await system.remember('ada', 'The user has a dog named Rex.');
  });
  afterAll(() => system?.close());

  const expectMemory = () => {
    const raw = upstream.lastRequest(system);
    expect(raw).toContain('<annals-memory>');
    expect(raw).toContain('a dog named Rex');
  };

  describe('the official client of OpenAI', () => {
    const params = { model: upstream.model, messages: [{ role: 'user', content: QUESTION }] } as const;

    it('gets a completion', async () => {
      upstream.planText(system, 'It is warm.');
      const { data, response } = await system
        .connect(THREAD)
        .chat.completions.create({ ...params, messages: [...params.messages] })
        .withResponse();
      expect(data.object).toBe('chat.completion');
      expect(data.choices[0]).toMatchObject({
        finish_reason: 'stop',
        message: { role: 'assistant', content: 'It is warm.' },
      });
      expect(data.usage!.total_tokens).toBe(data.usage!.prompt_tokens + data.usage!.completion_tokens);
      expect(response.headers.get('x-annals-memory-ids')).toMatch(/^[0-9a-f-]{36}/);
      expect(response.headers.get('x-annals-rev')).toMatch(/^\d+$/);
      expect((data as { _request_id?: string })._request_id).toBe(response.headers.get('x-request-id'));
      expectMemory();
    });

    it('gets a stream with usage', async () => {
      upstream.planText(system, 'It is quite warm.');
      const stream = system.connect(THREAD).chat.completions.stream({
        ...params,
        messages: [...params.messages],
        stream_options: { include_usage: true },
      });
      const pieces: string[] = [];
      stream.on('content', (delta) => void pieces.push(delta));
      const completion = await stream.finalChatCompletion();
      expect(pieces.join('')).toBe('It is quite warm.');
      expect(completion.usage!.completion_tokens).toBeGreaterThan(0);
    });

    it.each([false, true])('runs an agent with tools (stream: %s)', async (isStream) => {
      upstream.planCalls(system, ['Faro', 'Porto']);
      upstream.planText(system, '18 and 16 degrees.');
      const measured: string[] = [];
      const tools = [
        {
          type: 'function' as const,
          function: {
            name: 'measure',
            description: 'Measures.',
            parameters: z.toJSONSchema(PLACE) as Record<string, unknown>,
            parse: (text: string) => PLACE.parse(JSON.parse(text)),
            function: ({ place }: { place: string }) => {
              measured.push(place);
              return measureOf(place);
            },
          },
        },
      ];
      const { completions } = system.connect(THREAD).chat;
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: QUESTION }];
      const runner = isStream
        ? completions.runTools({ model: upstream.model, messages, tools, stream: true })
        : completions.runTools({ model: upstream.model, messages, tools });
      expect(await runner.finalContent()).toBe('18 and 16 degrees.');
      expect(measured).toEqual(['Faro', 'Porto']);
      const raw = upstream.lastRequest(system);
      expect(raw.indexOf('16 °C')).toBeGreaterThan(0);
      expect(raw.indexOf('<annals-memory>')).toBeGreaterThan(raw.indexOf('16 °C'));
    });

    it('gets an answer by a schema', async () => {
      upstream.planText(system, '{"degrees":18}');
      const schema = {
        type: 'object',
        properties: { degrees: { type: 'number' } },
        required: ['degrees'],
        additionalProperties: false,
      };
      const completion = await system.connect(THREAD).chat.completions.parse({
        ...params,
        messages: [...params.messages],
        response_format: { type: 'json_schema', json_schema: { name: 'warmth', strict: true, schema } },
      });
      expect(JSON.parse(completion.choices[0]!.message.content!)).toEqual({ degrees: 18 });
    });

    it('lists the models of both upstreams', async () => {
      const models: string[] = [];
      for await (const { id } of system.connect().models.list()) models.push(id);
      expect(models).toEqual(expect.arrayContaining([OPENAI_MODEL, CLAUDE_MODEL]));
    });
  });

  describe('LangChain', () => {
    const connect = () =>
      new ChatOpenAI({
        model: upstream.model,
        apiKey: system.key,
        maxRetries: 0,
        configuration: { baseURL: system.baseURL, defaultHeaders: THREAD },
      });

    it('invokes and streams', async () => {
      upstream.planText(system, 'It is warm.');
      const answer = await connect().invoke([new SystemMessage('Be brief.'), new HumanMessage(QUESTION)]);
      expect(answer.text).toBe('It is warm.');
      expect(answer.usage_metadata!.total_tokens).toBeGreaterThan(0);
      upstream.planText(system, 'It is quite warm.');
      let text = '';
      for await (const chunk of await connect().stream([new HumanMessage(QUESTION)])) text += chunk.text;
      expect(text).toBe('It is quite warm.');
      expectMemory();
    });

    it('calls tools', async () => {
      const measure = langChainTool(({ place }) => measureOf(place), {
        name: 'measure',
        description: 'Measures.',
        schema: PLACE,
      });
      const model = connect().bindTools([measure]);
      upstream.planCalls(system, ['Faro', 'Porto']);
      const calls = await model.invoke([new HumanMessage(QUESTION)]);
      expect(calls.tool_calls!.map(({ args }) => args)).toEqual([{ place: 'Faro' }, { place: 'Porto' }]);
      const results = calls.tool_calls!.map(
        ({ id, args }) => new ToolMessage({ tool_call_id: id!, content: measureOf(String(args['place'])) }),
      );
      upstream.planText(system, 'Warm.');
      const answer = await model.invoke([new HumanMessage(QUESTION), calls, ...results]);
      expect(answer.text).toBe('Warm.');
    });
  });

  describe('the AI SDK', () => {
    const connect = () =>
      createOpenAICompatible({
        name: 'annals',
        baseURL: system.baseURL,
        apiKey: system.key,
        headers: THREAD,
        includeUsage: true,
      })(upstream.model);
    const measure = tool({
      description: 'Measures.',
      inputSchema: PLACE,
      execute: async ({ place }) => measureOf(place),
    });

    it('streams', async () => {
      upstream.planText(system, 'It is quite warm.');
      const result = streamText({ model: connect(), instructions: 'Be brief.', prompt: QUESTION, maxRetries: 0 });
      expect(await result.text).toBe('It is quite warm.');
      expect((await result.usage).outputTokens).toBeGreaterThan(0);
      expectMemory();
    });

    it('runs an agent with tools', async () => {
      upstream.planCalls(system, ['Faro', 'Porto']);
      upstream.planText(system, 'Both warm.');
      const { text, steps } = await generateText({
        model: connect(),
        prompt: QUESTION,
        tools: { measure },
        stopWhen: isStepCount(3),
        maxRetries: 0,
      });
      expect(text).toBe('Both warm.');
      expect(steps[0]!.toolResults.map(({ output }) => output)).toEqual(['18 °C', '16 °C']);
    });
  });
});
