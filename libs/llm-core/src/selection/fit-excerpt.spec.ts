import type { ConversationMessage, MessageRole } from '../provider/llm-request.js';
import { fitExcerpt } from './fit-excerpt.js';
import { DEFAULT_SALIENCE_CONFIG } from './salience-config.js';

const message = (id: string, content = id, role: MessageRole = 'user'): ConversationMessage => ({
  id,
  role,
  actorId: null,
  content,
  createdAt: 0,
});
const analysisOf = (tokens: Record<string, number>) => ({ deltas: new Map(), tokens: new Map(Object.entries(tokens)) });
const CONFIG = { ...DEFAULT_SALIENCE_CONFIG, maxTokens: 100, minMessages: 1 };
const ids = (messages: readonly { id: string }[]) => messages.map(({ id }) => id);

describe('fitExcerpt', () => {
  const whole = { messages: [message('a'), message('b')], context: [message('x'), message('y', 'y', 'assistant')] };

  it('shows everything that fits', () => {
    const fitted = fitExcerpt(whole, analysisOf({ a: 30, b: 30, x: 15, y: 15 }), CONFIG);
    expect(fitted).toMatchObject({ excerpt: whole, omittedContextCount: 0, selection: { prunedCount: 0 } });
  });

  it('omits the oldest context before any message', () => {
    const { excerpt, omittedContextCount } = fitExcerpt(whole, analysisOf({ a: 40, b: 40, x: 5, y: 10 }), CONFIG);
    expect([ids(excerpt.messages), ids(excerpt.context), omittedContextCount]).toEqual([['a', 'b'], ['y'], 1]);
  });

  it('fills the tokens left by the messages with context, if any are left', () => {
    const { excerpt, selection } = fitExcerpt(whole, analysisOf({ a: 80, b: 80, x: 1, y: 1 }), CONFIG);
    expect(selection.prunedIds).toEqual(['b']);
    expect(ids(excerpt.context)).toEqual(['x', 'y']);
    const tight = fitExcerpt(whole, analysisOf({ a: 95, b: 95, x: 1, y: 1 }), CONFIG);
    expect(tight.excerpt).toMatchObject({ messages: [{ id: 'a' }], context: [] });
    expect(tight.omittedContextCount).toBe(2);
  });

  it('shortens a long answer to its beginning and end, and counts the shortened text', () => {
    const answer = `The topic. ${'More words. '.repeat(200)}Shall I book it?`;
    const { excerpt } = fitExcerpt(
      { messages: [message('a')], context: [message('y', answer, 'assistant')] },
      analysisOf({ a: 10, y: 400 }),
      CONFIG,
    );
    const [shown] = excerpt.context;
    expect(shown?.content.length).toBeLessThanOrEqual(400);
    expect(shown?.content).toMatch(/^The topic\. .* \[…\] .*Shall I book it\?$/);
  });

  it('never shortens a message that memories are extracted from', () => {
    const long = 'I moved again. '.repeat(500);
    const { excerpt } = fitExcerpt({ messages: [message('a', long)], context: [] }, analysisOf({ a: 2_000 }), CONFIG);
    expect(excerpt.messages[0]?.content).toBe(long);
  });

  it('never splits a character', () => {
    const emoji = '😀'.repeat(400);
    for (const content of [emoji, `x${emoji}`]) {
      const { excerpt } = fitExcerpt({ messages: [], context: [message('y', content)] }, analysisOf({ y: 10 }), CONFIG);
      expect(excerpt.context[0]?.content).not.toContain('\ufffd');
      expect(excerpt.context[0]?.content.isWellFormed()).toBe(true);
    }
  });
});
