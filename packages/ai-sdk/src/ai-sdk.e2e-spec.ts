import { createOpenAI } from '@ai-sdk/openai';
import { Annals } from '@annals/sdk';
import { type AnnalsSystem, type FakeModels, startFakeModels, startSystem } from '@annals/testing';
import { type ModelMessage, streamText, wrapLanguageModel } from 'ai';
import { annalsMemory, annalsTools } from './index.js';

const ANSWERS = ['How nice, in May!', 'You moved to Lisbon.'];

describe('@annals/ai-sdk, over HTTP', () => {
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

  it('stores each turn of a chat once, recalls in the next one, and leaves the prefix of the prompt as it was', async () => {
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

  describe('with tools', () => {
    const CALL = { toolCallId: 'call-1', messages: [], context: {} };
    const tools = (user: string) => annalsTools(annals, { user, thread: 'tools' });

    /** What a tool returns, and what the model reads of it. */
    async function use<Name extends keyof ReturnType<typeof annalsTools>>(user: string, name: Name, input: object) {
      const tool = tools(user)[name] as unknown as {
        execute: (input: object, options: object) => Promise<Record<string, unknown>>;
        toModelOutput: (options: object) => { type: string; value: string };
      };
      const output = await tool.execute(input, CALL);
      return { output, text: tool.toModelOutput({ toolCallId: CALL.toolCallId, input, output }).value };
    }

    it('remembers once, and finds it', async () => {
      const remembered = await use('bob', 'remember', { text: 'I am allergic to nuts. Mail bob@example.com.' });
      expect(remembered.output).toMatchObject({ accepted: 1 });
      expect(remembered.text).toMatch(/^Stored\. .* Masked before it was stored: 1 /);
      const again = await use('bob', 'remember', { text: 'I am allergic to nuts. Mail bob@example.com.' });
      expect(again.text).toBe('This was remembered already, so nothing new was stored.');
      const found = await use('bob', 'searchMemory', { query: 'nut allergy', top_k: 1 });
      expect(found.text).toMatch(/^- \[.*allergic to nuts/);
      expect((await use('nobody', 'searchMemory', { query: 'nuts' })).text).toBe('Nothing is remembered about this.');
    });

    it('tells who the user is, and what changed', async () => {
      expect((await use('cleo', 'context', {})).text).toBe('Nothing is known about the user yet.');
      await annals.users.putContext('cleo', { preferred_name: 'Cleo', goals: ['run a marathon'] });
      const memory = { user_id: 'cleo', thread_id: 'tools', category: 'profile' };
      await annals.memories.create({ ...memory, content: 'The user works as a baker.' });
      const { output, text } = await use('cleo', 'context', { since_rev: 0 });
      expect(output).toMatchObject({
        profile: { preferred_name: 'Cleo', goals: ['run a marathon'] },
        changes: [expect.stringContaining('baker')],
        revision: 1,
      });
      expect(text).toMatch(
        /^Profile:\n- preferred_name: Cleo\n[^]*\n\nMemories:\n- [^]*baker[^]*Changes:\n[^]*Revision: 1$/,
      );
    });

    it('shows what would be forgotten, and forgets it', async () => {
      const create = (content: string) => annals.memories.create({ user_id: 'dan', content, category: 'profile' });
      await create('The user lives in Lisbon.');
      const shown = await use('dan', 'forget', { text: 'that I live in Lisbon' });
      expect(shown.text).toContain('Nothing was forgotten yet.');
      const { plan } = shown.output as { plan: string };
      const done = await use('dan', 'forget', { text: 'that I live in Lisbon', dry_run: false, plan });
      expect(done.text).toMatch(/^Forgotten for good: 1 memories/);
      expect((await use('dan', 'searchMemory', { query: 'Lisbon' })).text).toBe('Nothing is remembered about this.');
      expect((await use('dan', 'forget', { text: 'that I live in Lisbon' })).text).toMatch(/nothing to forget/);
    });

    it('names the subjects of which one is meant', async () => {
      const create = (content: string) =>
        annals.memories.create({ user_id: 'eve', content, category: 'relationships' });
      await create('The user has a colleague named Anna Weber.');
      await create('The user has a neighbour named Anna Lang.');
      await expect(use('eve', 'forget', { text: 'everything about Anna' })).rejects.toThrow(
        /^More than one subject fits\. Ask the user which one, and send as text:\n- .*Anna/,
      );
    });
  });
});
