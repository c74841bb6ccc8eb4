import { splitLong, toId, toStorable, toTime } from './chat.js';
import { readClaude } from './read-claude.js';
import { readOpenAi } from './read-openai.js';

const AT = '2024-01-01T10:00:00.000Z';

describe('conversations of Claude', () => {
  const said = (uuid: string, text: string, more = {}) => ({ uuid, sender: 'human', text, created_at: AT, ...more });
  const read = (...messages: object[]) => readClaude({ uuid: 'c', created_at: AT, chat_messages: messages });

  it('are taken along the branch that ends last, when messages name their parents', () => {
    const chat = read(
      said('a', 'First.', { parent_message_uuid: '00000000-0000-4000-8000-000000000000' }),
      said('b', 'Left behind.', { parent_message_uuid: 'a' }),
      said('c', 'Second.', { parent_message_uuid: 'a' }),
    );
    expect(chat!.messages.map(({ content }) => content)).toEqual(['First.', 'Second.']);
    expect(chat!.notTaken).toEqual([
      { kind: 'message', id: 'b', reason: 'messages of other branches', isRefused: false },
    ]);
  });

  it('name what they leave out: messages without an id, and of an unknown sender', () => {
    const chat = read(said('a', 'Hello.'), { sender: 'human', text: 'No id.' }, said('b', 'Who?', { sender: 'robot' }));
    expect(chat!.messages).toHaveLength(1);
    expect(chat!.notTaken.map(({ reason }) => reason)).toEqual([
      'messages without an id',
      'messages of an unknown sender',
    ]);
  });

  it('know no part or sender by a name that every object has', () => {
    const chat = read(
      said('a', '', { content: [{ type: 'text', text: 'Hello.' }, { type: 'constructor' }] }),
      said('b', 'Who?', { sender: 'constructor' }),
    );
    expect(chat!.messages.map(({ id }) => id)).toEqual(['a']);
    expect(chat!.notTaken.map(({ reason }) => reason)).toEqual([
      'parts of an unknown kind',
      'messages of an unknown sender',
    ]);
  });

  it.each([[null], [7], [{}], [{ uuid: 'c' }], [{ chat_messages: [] }]])('are not %j', (item) => {
    expect(readClaude(item)).toBeNull();
  });
});

describe('conversations of OpenAI', () => {
  const node = (id: string, parent: string | null, children: string[], message: object | null) => [
    id,
    { id, parent, children, message: message && { id, author: { role: 'user' }, ...message } },
  ];
  const text = (...parts: unknown[]) => ({ create_time: 1_704_103_200, content: { content_type: 'text', parts } });
  const read = (nodes: (string | object | null)[][], more = {}) =>
    readOpenAi({ conversation_id: 'c', mapping: Object.fromEntries(nodes as [string, unknown][]), ...more });

  it('end with the youngest message when the export does not say which one was shown', () => {
    const chat = read([
      node('root', null, ['a', 'b'], null),
      node('a', 'root', [], { ...text('Old.'), create_time: 1 }),
      node('b', 'root', [], text('Young.')),
    ]);
    expect(chat!.messages.map(({ content }) => content)).toEqual(['Young.']);
  });

  it('survive parents in a circle, and times that are missing', () => {
    const circle = [node('a', 'b', ['b'], text('A.')), node('b', 'a', ['a'], { ...text('B.'), create_time: null })];
    expect(read(circle, { current_node: 'b' })!.messages.map(({ content }) => content)).toEqual(['A.', 'B.']);
    const timeless = [node('a', null, [], { ...text('A.'), create_time: null })];
    expect(read(timeless, { current_node: 'a' })).toMatchObject({
      messages: [],
      notTaken: [{ reason: 'messages without a time' }],
    });
  });

  it('have times that are out of range as if there were none', () => {
    const nodes = [node('a', null, ['b'], text('A.')), node('b', 'a', [], { ...text('B.'), create_time: 1e14 })];
    const times = read(nodes, { current_node: 'b', create_time: 1e14 })!.messages.map(({ created_at: at }) => at);
    expect(times).toEqual([AT, AT]);
  });

  it('take the words of transcripts, and name other parts', () => {
    const content = {
      content_type: 'multimodal_text',
      parts: [
        { content_type: 'audio_transcription', text: 'Spoken.' },
        { content_type: 'audio_asset_pointer' },
        { content_type: 'hologram' },
        { content_type: 'constructor' },
      ],
    };
    const chat = read([node('a', null, [], { create_time: 1, content })], { current_node: 'a' });
    expect(chat!.messages[0]!.content).toBe('Spoken.');
    expect(chat!.notTaken.map(({ reason }) => reason)).toEqual(['audio and video', 'parts of an unknown kind']);
  });
});

describe('texts of chats', () => {
  it('are divided behind a blank when they are too long, and never within a character', () => {
    const message = { id: 'm', role: 'user', created_at: AT } as const;
    const words = 'word '.repeat(45_000);
    const parts = splitLong({ ...message, content: words });
    expect(parts.map(({ id }) => id)).toEqual(['m', 'm#2', 'm#3']);
    expect(parts.map(({ content }) => content).join('')).toBe(words);
    const pairs = splitLong({ ...message, content: `x${'😀'.repeat(60_000)}` });
    for (const { content } of pairs) expect(content.isWellFormed() && content.length <= 100_000).toBe(true);
  });

  it('lose what cannot be stored', () => {
    expect(toStorable('a\u0000b\ud800')).toBe('ab\ufffd');
    expect([toId(' x '), toId(''), toId(7), toId('x'.repeat(300))]).toEqual(['x', null, null, null]);
  });

  it('have no time that cannot be written', () => {
    for (const time of [1e14, 1_704_103_200_000, -1, Number.NaN, '+099999-01-01T00:00:00Z'])
      expect(toTime(time)).toBeNull();
    expect(toTime(253_402_300_799)).toBe('9999-12-31T23:59:59.000Z');
  });

  it('have times in seconds or as text', () => {
    expect([toTime(1_704_103_200), toTime('2024-01-01T10:00:00Z'), toTime('soon'), toTime(null)]).toEqual([
      AT,
      AT,
      null,
      null,
    ]);
  });
});
