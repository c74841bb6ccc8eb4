import { createOpenAI } from '@ai-sdk/openai';
import { Annals } from '@annals/sdk';
import { type AnnalsSystem, type FakeModels, startFakeModels, startSystem } from '@annals/testing';
import { type ModelMessage, streamText, wrapLanguageModel } from 'ai';
import { annalsMemory } from '../index.js';

const ANSWERS = ['How nice, in May!', 'You moved to Lisbon.'];

describe('a chat with annalsMemory, over HTTP', () => {
  let system: AnnalsSystem;
  let models: FakeModels;
  let annals: Annals;
  beforeAll(async () => {
    const answers = [...ANSWERS];
    [system, models] = await Promise.all([startSystem(), startFakeModels({ answer: () => answers.shift()! })]);
    annals = new Annals({ baseUrl: system.nextUrl(), apiKey: system.tenantKey });
  });
  afterAll(async () => {
    await Promise.all([system?.close(), models?.close()]);
  });

  it('stores each turn once, recalls in the next one, and leaves the prefix of the prompt as it was', async () => {
    const errors: unknown[] = [];
    const openai = createOpenAI({ baseURL: models.openaiUrl, apiKey: 'sk-1' });
    const memory = annalsMemory(annals, {
      user: 'mara',
      thread: 'chat-1',
      // Of a machine that is busy with other specs.
      timeoutMs: 60_000,
      onError: (error) => errors.push(error),
    });
    const model = wrapLanguageModel({ model: openai.chat('gpt-6-luna'), middleware: memory });
    const messages: ModelMessage[] = [];
    const say = async (content: string) => {
      messages.push({ role: 'user', content });
      const result = streamText({ model, instructions: 'You are a friend.', messages });
      const text = await result.text;
      messages.push(...(await result.responseMessages));
      await memory.settled();
      return { text, metadata: (await result.providerMetadata)!['annals'] as Record<string, unknown> };
    };

    const first = await say('I moved to Lisbon on 3 May.');
    expect(first).toMatchObject({ text: ANSWERS[0], metadata: { status: 'nothing', memoryIds: [] } });
    const second = await say('Where did I move to in May?');
    expect(second).toMatchObject({ text: ANSWERS[1], metadata: { status: 'recalled', degraded: expect.any(Boolean) } });
    expect(second.metadata['memoryIds']).not.toEqual([]);

    const [before, after] = models.journal.entries.map(({ request }) => request.body['messages'] as unknown[]);
    expect(before).toEqual([
      { role: 'developer', content: 'You are a friend.' },
      { role: 'user', content: 'I moved to Lisbon on 3 May.' },
    ]);
    expect(after!.slice(0, 2)).toEqual(before);
    expect(after!.slice(2)).toEqual([
      { role: 'assistant', content: ANSWERS[0] },
      { role: 'user', content: 'Where did I move to in May?' },
      { role: 'user', content: expect.stringMatching(/^<annals-memory>\n[^]*Lisbon[^]*<\/annals-memory>$/) },
    ]);

    const { conversation_id } = await annals.conversations.create({
      user_id: 'mara',
      thread_id: 'chat-1',
      messages: [{ role: 'user', content: 'Bye.' }],
      flush: true,
    });
    const stored: string[] = [];
    for await (const { role, content } of annals.conversations.messages(conversation_id))
      stored.push(`${role}: ${content}`);
    expect(stored).toEqual([
      'user: I moved to Lisbon on 3 May.',
      `assistant: ${ANSWERS[0]}`,
      'user: Where did I move to in May?',
      `assistant: ${ANSWERS[1]}`,
      'user: Bye.',
    ]);
    expect(errors).toEqual([]);
  });

  it('stores a turn once, although two processes answer it', async () => {
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'I like green tea.' }] }];
    models.behave(() => ({ kind: 'answer', text: 'Noted.' }));
    for (const _process of [1, 2]) {
      const openai = createOpenAI({ baseURL: models.openaiUrl, apiKey: 'sk-1' });
      const memory = annalsMemory(annals, { user: 'ada', thread: 'chat-2', timeoutMs: 60_000 });
      await wrapLanguageModel({ model: openai.chat('gpt-6-luna'), middleware: memory }).doGenerate({ prompt });
      await memory.settled();
    }
    const { items } = await annals.batches.list({ user_id: 'ada' }).page();
    const { messages } = await annals.conversations.get(items[0]!.conversation_id);
    expect(messages.map(({ content }) => content)).toEqual(['I like green tea.', 'Noted.']);
  });
});
