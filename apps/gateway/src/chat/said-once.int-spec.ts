import { type OpenAiChatAnswer, StreamGate, waitUntil } from '@annals/testing';
import type OpenAI from 'openai';
import { type ChatSystem, CLAUDE_MODEL, OPENAI_MODEL, startChatSystem } from './chat.fixture.js';

type Message = OpenAI.ChatCompletionMessageParam;

const ask = (content: string): Message => ({ role: 'user', content });
const say = (text: string): OpenAiChatAnswer => ({ kind: 'message', pieces: [text] });

describe('what a chat stores', () => {
  let system: ChatSystem;
  let users = 0;
  let user: string;
  beforeAll(async () => {
    system = await startChatSystem();
  });
  beforeEach(() => {
    user = `user-${(users += 1)}`;
  });
  afterAll(() => system?.close());

  const complete = async (messages: Message[], headers: Record<string, string> = {}, over: object = {}) => {
    const client = system.connect({ 'x-annals-user': user, 'x-annals-thread': 't', ...headers });
    const { data, response } = await client.chat.completions
      .create({ model: OPENAI_MODEL, messages, ...over, stream: false })
      .withResponse();
    return { data, headers: response.headers };
  };
  const said = () => system.listSaid(user, 't');

  it('is every message of a chat of 50 turns once, though each request sends all of them', async () => {
    const messages: Message[] = [{ role: 'system', content: 'Be kind.' }];
    const expected: string[] = [];
    for (let turn = 1; turn <= 50; turn += 1) {
      // Words that come again are said again.
      const question = turn % 7 === 0 ? 'yes' : `Question ${turn}`;
      const answer = turn % 5 === 0 ? 'Sure.' : `Answer ${turn}`;
      system.openai.plan(say(answer));
      messages.push(ask(question));
      const { data } = await complete(messages);
      messages.push(data.choices[0]!.message);
      expected.push(`user: ${question}`, `assistant: ${answer}`);
    }
    expect(await said()).toEqual(expected);
  });

  it('goes to a thread that follows from the first message when none is named', async () => {
    const client = system.connect();
    const first = await client.chat.completions
      .create({ model: OPENAI_MODEL, user, messages: [ask('Hi there')] })
      .withResponse();
    const thread = first.response.headers.get('x-annals-thread')!;
    const { data } = first;
    const messages: Message[] = [ask('Hi there'), data.choices[0]!.message, ask('And now?')];
    const second = await client.chat.completions.create({ model: OPENAI_MODEL, user, messages }).withResponse();
    expect(second.response.headers.get('x-annals-thread')).toBe(thread);
    expect(await system.listSaid(user, thread)).toEqual([
      'user: Hi there',
      'assistant: Hello.',
      'user: And now?',
      'assistant: Hello.',
    ]);
  });

  it('is a request once that the SDK sends again after errors', async () => {
    const failure = { kind: 'error', status: 503, body: '{"error":{"message":"overloaded"}}' } as const;
    system.openai.plan(failure, failure, say('At last.'));
    const client = system.connect({ 'x-annals-user': user, 'x-annals-thread': 't' }, { maxRetries: 2 });
    const data = await client.chat.completions.create({ model: OPENAI_MODEL, messages: [ask('Are you there?')] });
    expect(data.choices[0]!.message.content).toBe('At last.');
    expect(await said()).toEqual(['user: Are you there?', 'assistant: At last.']);
  });

  it('is a request once that arrives several times at once', async () => {
    system.openai.answerBy(() => say('The same.'));
    await Promise.all(Array.from({ length: 5 }, () => complete([ask('One'), say2('Two'), ask('Three')])));
    system.openai.answerBy(() => say('Hello.'));
    expect(await said()).toEqual(['user: One', 'assistant: Two', 'user: Three', 'assistant: The same.']);
  });
  const say2 = (content: string): Message => ({ role: 'assistant', content });

  it('is what was answered to a client that left, once the answer has ended', async () => {
    const gate = new StreamGate();
    system.openai.plan({ kind: 'message', pieces: ['I have ', 'much ', 'to say.'], gate });
    const client = system.connect({ 'x-annals-user': user, 'x-annals-thread': 't' });
    const stream = await client.chat.completions.create({
      model: OPENAI_MODEL,
      messages: [ask('Tell me.')],
      stream: true,
    });
    gate.release(2);
    for await (const _chunk of stream) break;
    stream.controller.abort();
    expect(await said()).toEqual(['user: Tell me.']);
    gate.open();
    const all = await waitUntil(async () => (await said()).length === 2 && said(), {
      describe: 'the answer is stored',
    });
    expect(all).toEqual(['user: Tell me.', 'assistant: I have much to say.']);
    expect(system.openai.requests.at(-1)!.hasLeft).toBe(false);
  });

  it('is the whole of an answer that has the words by which a stream ends', async () => {
    system.openai.plan({ kind: 'message', pieces: ['It ends by ', 'data: [DONE]', ', always.'] });
    const client = system.connect({ 'x-annals-user': user, 'x-annals-thread': 't' });
    const stream = client.chat.completions.stream({ model: OPENAI_MODEL, messages: [ask('How?')] });
    expect(await stream.finalContent()).toBe('It ends by data: [DONE], always.');
    expect(await said()).toEqual(['user: How?', 'assistant: It ends by data: [DONE], always.']);
  });

  it('has the user’s turn before the upstream answers', async () => {
    const gate = new StreamGate();
    system.openai.plan({ kind: 'message', pieces: ['Later.'], gate });
    const answered = complete([ask('Wait for it.')], {}, {});
    await waitUntil(async () => (await said()).length === 1, { describe: 'the turn is stored' });
    gate.open();
    await answered;
    expect(await said()).toEqual(['user: Wait for it.', 'assistant: Later.']);
  });

  it('is the part that was said when the upstream dies in the middle, and the whole answer of a retry', async () => {
    system.openai.plan({ kind: 'message', pieces: ['One, ', 'two, ', 'three.'], breakAfter: 3 });
    const client = system.connect({ 'x-annals-user': user, 'x-annals-thread': 't' });
    const read = async () => {
      const stream = await client.chat.completions.create({
        model: OPENAI_MODEL,
        messages: [ask('Count.')],
        stream: true,
      });
      for await (const _chunk of stream);
    };
    await expect(read()).rejects.toThrow();
    expect(await waitUntil(async () => (await said()).length === 2 && said(), { describe: 'two turns' })).toEqual([
      'user: Count.',
      'assistant: One, two, ',
    ]);
    system.openai.plan(say('One, two, three.'));
    const { data } = await complete([ask('Count.')]);
    await complete([ask('Count.'), data.choices[0]!.message, ask('Go on.')]);
    expect((await said()).slice(2, 4)).toEqual(['assistant: One, two, three.', 'user: Go on.']);
  });

  it('is nothing of an upstream that never answered but what the user said', async () => {
    system.openai.plan({ kind: 'cut' });
    await expect(complete([ask('Anybody?')])).rejects.toMatchObject({ status: 502, code: 'upstream_unreachable' });
    expect(await said()).toEqual(['user: Anybody?']);
  });

  it('is the same answer though the client changed or cut it', async () => {
    system.openai.plan(say('A long answer.  '));
    await complete([ask('Talk.')]);
    await complete([ask('Talk.'), { role: 'assistant', content: 'A long' }, ask('Enough.')]);
    expect(await said()).toEqual(['user: Talk.', 'assistant: A long answer.  ', 'user: Enough.', 'assistant: Hello.']);
  });

  it('is one of several answers, once the client has chosen it', async () => {
    system.openai.plan({ kind: 'message', pieces: ['Blue.'], others: ['Green.'] });
    const { data } = await complete([ask('A colour?')], {}, { n: 2 });
    expect(await said()).toEqual(['user: A colour?']);
    await complete([ask('A colour?'), data.choices[1]!.message, ask('Why?')]);
    expect((await said()).slice(0, 3)).toEqual(['user: A colour?', 'assistant: Green.', 'user: Why?']);
  });

  it('is what is said again by a client that sends only its latest message', async () => {
    await complete([ask('yes')]);
    await complete([ask('yes')]);
    expect(await said()).toEqual(['user: yes', 'assistant: Hello.', 'user: yes', 'assistant: Hello.']);
    await complete([ask('yes')], { 'x-stainless-retry-count': '1' });
    expect((await said()).filter((each) => each.startsWith('user'))).toHaveLength(2);
  });

  it('is neither instructions nor tools nor what was added', async () => {
    await system.remember(user, 'The user has a cat named Mia.');
    const block = '<annals-memory>\nNotes\n</annals-memory>';
    await complete([
      { role: 'system', content: 'You are a vet.' },
      ask(`${block}\n\nHow is Mia?`),
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'Asleep.' },
      ask(block),
    ]);
    expect(system.openai.requests.at(-1)!.raw).toContain('named Mia');
    expect(await said()).toEqual(['user: How is Mia?', 'assistant: Hello.']);
  });

  it('is redacted, and the upstream gets it as it was said', async () => {
    await complete([ask('Write to ana@example.com.')]);
    expect(system.openai.requests.at(-1)!.raw).toContain('ana@example.com');
    expect((await said())[0]).toMatch(/^user: Write to \[email /);
    await complete([ask('Write to ana@example.com.'), { role: 'assistant', content: 'Hello.' }, ask('Done?')]);
    expect(await said()).toHaveLength(4);
  });

  it('is a message of any length', async () => {
    const long = 'Lorem ipsum. '.repeat(20_000);
    const { headers } = await complete([ask(long)]);
    expect(headers.get('x-annals-ingest')).toBe('stored');
    await complete([ask(long), { role: 'assistant', content: 'Hello.' }, ask('More?')]);
    const turns = await said();
    expect(turns).toHaveLength(6);
    expect(
      turns
        .slice(0, 3)
        .map((turn) => turn.slice(6))
        .join(''),
    ).toBe(long);
  });

  it('is the history of a chat that begins elsewhere', async () => {
    const messages = Array.from({ length: 601 }, (_, index) =>
      index % 2 === 0 ? ask(`u${index}`) : say2(`a${index}`),
    );
    await complete(messages);
    expect(await said()).toHaveLength(602);
  });

  it('is kept apart by the name of who speaks', async () => {
    await complete([{ role: 'user', name: 'Bob', content: 'I am Bob.' }]);
    const [row] = await system.gateway.database.inTenant(system.tenantId, (tx) =>
      tx.query<{ actor_id: string }>(
        `SELECT m.actor_id FROM messages m JOIN conversations c ON c.id = m.conversation_id
          WHERE c.user_id = $1 AND m.role = 'user'`,
        [user],
      ),
    );
    expect(row!.actor_id).toBe('Bob');
  });

  it('does not become recalled in the chat that said it', async () => {
    await complete([ask('My parrot is called Coco.')]);
    const { headers } = await complete([
      ask('My parrot is called Coco.'),
      { role: 'assistant', content: 'Hello.' },
      ask('What is my parrot called?'),
    ]);
    expect(headers.get('x-annals-memory')).toBe('none');
    const elsewhere = await complete([ask('What is my parrot called?')], { 'x-annals-thread': 'other' });
    expect(elsewhere.headers.get('x-annals-memory')).toBe('used');
    expect(system.openai.requests.at(-1)!.raw).toContain('- [user] ');
    expect(system.openai.requests.at(-1)!.raw).toContain('My parrot is called Coco.');
  });

  it('is what Claude says, too', async () => {
    await complete([ask('Hi Claude.')], {}, { model: CLAUDE_MODEL });
    expect(await said()).toEqual(['user: Hi Claude.', 'assistant: Hello.']);
  });
});
