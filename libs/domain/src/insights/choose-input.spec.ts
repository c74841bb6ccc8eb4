import { chooseInsightInput, listShownEvidence } from './choose-input.js';
import type { InsightMessage } from './types.js';

const say = (id: string, saidAt: number, content = `words of ${id}`, isUser = true): InsightMessage => ({
  id,
  isUser,
  speaker: isUser ? 'user' : 'assistant',
  content,
  saidAt,
});
const memory = (id: string, saidAt: number) => ({ id, content: `Fact ${id}.`, saidAt, messageId: `of ${id}` });
const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id).join(' ');

describe('chooseInsightInput', () => {
  it('takes the latest five messages of the person and three memories, oldest first, whatever their order', () => {
    const messages = [7, 3, 1, 5, 2, 6, 4].map((at) => say(`a${at}`, at));
    const memories = [4, 2, 1, 3].map((at) => memory(`f${at}`, at));
    const input = chooseInsightInput({ messages, conversation: [], memories });
    expect([ids(input.activity), ids(input.memories)]).toEqual(['a3 a4 a5 a6 a7', 'f2 f3 f4']);
  });

  it('leaves out messages of others from the activity, and what the snippet has', () => {
    const conversation = [say('c1', 10), say('c2', 11, 'Sure.', false)];
    const messages = [say('a1', 1), say('a2', 2, 'Hello.', false), ...conversation];
    const { activity, snippet } = chooseInsightInput({ messages, conversation, memories: [] });
    expect([ids(activity), ids(snippet)]).toEqual(['a1', 'c1 c2']);
  });

  it('cuts the snippet between messages, at 1,000 characters', () => {
    const conversation = [1, 2, 3, 4].map((at) => say(`c${at}`, at, '😀'.repeat(at === 4 ? 200 : 400)));
    expect(ids(chooseInsightInput({ messages: [], conversation, memories: [] }).snippet)).toBe('c2 c3 c4');
    const whole = [...conversation.slice(1), say('c5', 5, '!')];
    expect(ids(chooseInsightInput({ messages: [], conversation: whole, memories: [] }).snippet)).toBe('c3 c4 c5');
  });

  it('shows the beginning of a last message that is too long', () => {
    const long = 'One sentence. '.repeat(80);
    const [only] = chooseInsightInput({ messages: [], conversation: [say('c1', 1, long)], memories: [] }).snippet;
    expect(only?.content).toMatch(/sentence\.$/u);
    expect(only!.content.length).toBeLessThanOrEqual(1_000);
  });

  it('decides among equal times by id', () => {
    const messages = ['b', 'd', 'a', 'e', 'c', 'f'].map((id) => say(id, 1));
    expect(ids(chooseInsightInput({ messages, conversation: [], memories: [] }).activity)).toBe('b c d e f');
  });
});

describe('listShownEvidence', () => {
  it('labels the messages of the person and the memories, and nothing that others said', () => {
    const shown = listShownEvidence({
      activity: [say('a1', 1)],
      snippet: [say('c1', 2, 'Sure.', false), say('c2', 3)],
      memories: [memory('f1', 2)],
    });
    expect(shown.map(({ label, kind, id, messageId }) => `${label} ${kind} ${id} ${messageId}`)).toEqual([
      'm1 message a1 a1',
      'm2 message c2 c2',
      'k1 memory f1 of f1',
    ]);
  });
});
