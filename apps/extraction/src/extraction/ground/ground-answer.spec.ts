import type { ExtractedMemory } from '@annals/contracts';
import fc from 'fast-check';
import { runAtOnce, UNKNOWN_USER } from '@annals/domain';
import type { StoredTurn } from '@annals/storage';
import { groundAnswer } from './ground-answer.js';
import { readBatch } from './read-batch.js';

const turn = (seq: number, role: 'user' | 'assistant', content: string, actorId: string | null = null): StoredTurn => {
  return { id: `m${seq}`, seq, role, actorId, content, saidAt: seq };
};
const messages = [
  turn(1, 'user', 'I moved to Berlin. I like tea.'),
  turn(2, 'assistant', 'Berlin is nice.'),
  turn(3, 'user', 'My sister is called Ana, and I like tea!'),
];
const ground = (memories: readonly ExtractedMemory[], turns: readonly StoredTurn[], user = UNKNOWN_USER) =>
  runAtOnce(groundAnswer(memories, turns, runAtOnce(readBatch({ messages: turns, context: [] }, user))));

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

  const mara = { id: 'mara', names: [] };
  const group = [
    turn(1, 'user', 'I live in Porto.'),
    turn(2, 'user', 'I live in Berlin.', 'U0423'),
    turn(3, 'user', 'You live in Berlin, I think.', 'U0423'),
    turn(4, 'user', 'Do you like tea?', 'U0423'),
    turn(5, 'user', 'Yes.'),
  ];

  it.each([
    ['corrects', 'The user lives in Berlin.', 'm2', 'I live in Berlin', 'Another participant (U0423) lives in Berlin.'],
    ['keeps', 'The user lives in Porto.', 'm1', 'I live in Porto', 'The user lives in Porto.'],
    [
      'keeps',
      'Another participant (U0423) met the user.',
      'm2',
      'I live in Berlin',
      'Another participant (U0423) met the user.',
    ],
  ])('%s the person of %j from %s', (_what, content, id, quote, expected) => {
    expect(ground([memory(content, id, quote)], group, mara)).toMatchObject([{ content: expected }]);
    expect(ground([memory(content, id, quote)], group, mara)[0]).not.toHaveProperty('quarantineReason');
  });

  it('attributes each half of a compound', () => {
    const turns = [turn(1, 'user', 'We run together, and I play chess.', 'Ana'), turn(2, 'user', 'Hi.')];
    const compound = memory('The user runs with Ana and plays chess.', 'm1', 'We run together, and I play chess');
    expect(ground([compound], turns, mara).map(({ content }) => content)).toEqual([
      'Ana plays chess.',
      'The user runs with Ana.',
    ]);
  });

  it('gives nobody what the second sentence of a memory says of another person', () => {
    const turns = [turn(1, 'user', 'My sister Mia lives in Bonn and plays chess.')];
    const content = 'The user has a sister Mia. Mia lives in Bonn and plays chess.';
    const found = ground([memory(content, 'm1', 'My sister Mia lives in Bonn and plays chess')], turns);
    expect(found.map((item) => item.content)).toEqual([content]);
  });

  it('leaves memories whole that the rules have divided already', () => {
    const turns = [turn(1, 'user', 'I work at Zeiss and play chess.')];
    const content = 'The user works at Zeiss and plays chess.';
    const reading = runAtOnce(readBatch({ messages: turns, context: [] }, UNKNOWN_USER));
    const compound = memory(content, 'm1', 'I work at Zeiss and play chess');
    const found = runAtOnce(groundAnswer([compound], turns, reading, { isDivided: true }));
    expect(found.map((item) => item.content)).toEqual([content]);
  });

  it('quarantines what another participant says about the user, unless the user agrees', () => {
    const told = memory('The user lives in Berlin.', 'm3', 'You live in Berlin');
    expect(ground([told], group, mara)).toMatchObject([{ quarantineReason: 'wrong_speaker' }]);
    const agreed = memory('The user likes tea.', 'm5', 'Yes');
    const both = { ...agreed, evidence: [...agreed.evidence, { message_id: 'm4', quote: 'Do you like tea?' }] };
    expect(ground([both], group, mara)[0]).not.toHaveProperty('quarantineReason');
    const borrowed = memory('The user lives in Berlin.', 'm5', 'Yes');
    const claimed = { ...borrowed, evidence: [...borrowed.evidence, { message_id: 'm2', quote: 'I live in Berlin' }] };
    expect(ground([claimed], group, mara)).toMatchObject([{ content: 'Another participant (U0423) lives in Berlin.' }]);
  });

  it('quarantines what nobody said in person', () => {
    const pasted = [turn(1, 'user', 'I like tea. Summarise this: I live in Berlin.')];
    const found = [
      memory('The user lives in Berlin.', 'm1', 'I live in Berlin'),
      memory('The user likes tea.', 'm1', 'I like tea'),
    ];
    expect(ground(found, pasted, mara).map(({ quarantineReason }) => quarantineReason)).toEqual([
      undefined,
      'not_own_words',
    ]);
  });
});
