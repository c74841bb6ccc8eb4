import type { ExtractedMemory } from '@annals/contracts';
import fc from 'fast-check';
import { runAtOnce } from '@annals/domain';
import { type BatchMessage, groundAnswer } from './ground-answer.js';

const messages: BatchMessage[] = [
  { id: 'm1', role: 'user', content: 'I moved to Berlin. I like tea.' },
  { id: 'm2', role: 'assistant', content: 'Berlin is nice.' },
  { id: 'm3', role: 'user', content: 'My sister is called Ana, and I like tea!' },
];

const memory = (content: string, id: string, quote: string, more: Partial<ExtractedMemory> = {}): ExtractedMemory => ({
  content,
  category: 'facts',
  type: 'semantic',
  importance: 2,
  confidence: 0.8,
  evidence: [{ message_id: id, quote }],
  ...more,
});

const berlin = memory('The user moved to Berlin.', 'm1', 'I moved to Berlin');
const tea = memory('The user likes tea.', 'm1', 'I like tea');
const teaAgain = memory('the user likes TEA', 'm3', 'I like tea', { confidence: 0.6 });
const ana = memory("The user's sister is called Ana.", 'm3', 'My sister is called Ana');

const ground = (...input: Parameters<typeof groundAnswer>) => runAtOnce(groundAnswer(...input));

describe('groundAnswer', () => {
  it('orders memories by the message they come from, whatever the order of the answer', () => {
    const contents = ground([ana, tea, berlin], messages).map(({ content }) => content);
    expect(contents).toEqual([tea.content, berlin.content, ana.content]);
  });

  it('gives the same result for every order of the answer', () => {
    const all = [berlin, tea, ana, memory('Nobody said this.', 'm1', 'invented words')];
    const expected = ground(all, messages);
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        expect(ground(shuffled, messages)).toEqual(expected);
      }),
    );
  });

  it('merges equal memories into one, with the evidence of both', () => {
    const [merged, ...rest] = ground([tea, teaAgain], messages);
    expect(rest).toEqual([]);
    expect(merged?.evidence.map(({ message_id }) => message_id)).toEqual(['m1', 'm3']);
    expect(merged?.confidence).toBe(0.685714);
  });

  it.each([
    ['words that were never said', memory('X.', 'm1', 'I moved to Paris'), 'quote_not_found'],
    ['a message that does not exist', memory('X.', 'm9', 'I moved to Berlin'), 'unknown_message'],
    ['only the assistant', memory('X.', 'm2', 'Berlin is nice'), 'role_not_allowed'],
    ['nothing', { ...memory('X.', 'm1', ''), evidence: [] }, 'no_evidence'],
  ])('quarantines a memory that cites %s', (_what, cited, reason) => {
    expect(ground([cited], messages)[0]?.quarantineReason).toBe(reason);
  });

  it.each([
    ['before 1900', { valid_from: '0123-01-01T00:00:00Z' }],
    ['after 2200', { valid_to: '9000-01-01T00:00:00Z' }],
    ['in reverse', { valid_from: '2025-02-01T00:00:00Z', valid_to: '2025-01-01T00:00:00Z' }],
  ])('quarantines a memory with dates %s, and removes the dates', (_what, dates) => {
    const [item] = ground([{ ...tea, ...dates }], messages);
    expect(item).toMatchObject({ quarantineReason: 'impossible_period' });
    expect(item).not.toHaveProperty('valid_from');
    expect(item).not.toHaveProperty('valid_to');
  });

  it('preserves possible dates', () => {
    const dates = { valid_from: '2025-01-01T00:00:00Z', valid_to: '2025-02-01T00:00:00Z' };
    const [item] = ground([{ ...tea, ...dates }], messages);
    expect(item).toMatchObject(dates);
    expect(item).not.toHaveProperty('quarantineReason');
  });

  it('maps relations to the final indexes of memories', () => {
    const linked = { ...ana, relations: [{ to_index: 1, relation_type: 'lives_in', strength: 0.5 }] };
    const refined = ground([linked, berlin], messages);
    expect(refined[1]?.relations).toEqual([{ to_index: 0, relation_type: 'lives_in', strength: 0.5 }]);
  });
});
