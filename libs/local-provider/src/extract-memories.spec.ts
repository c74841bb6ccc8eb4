import { extractedMemorySchema } from '@annals/contracts';
import type { ConversationMessage } from '@annals/llm-core';
import { ATTACK_CORPUS, MAX_LINEAR_GROWTH, measureCpuGrowth } from '@annals/testing';
import fc from 'fast-check';
import { MAX_CONTENT_LENGTH } from './compose/check-content.js';
import { extractMemories } from './extract-memories.fixture.js';
import { MAX_MEMORIES, MAX_MEMORIES_PER_MESSAGE, MAX_MESSAGE_LENGTH } from './extract-memories.js';
import { EXTRACTION_CASES, NO_MEMORY_SENTENCES } from './local-corpus.fixture.js';

const MONDAY = Date.UTC(2023, 4, 8, 13, 56);

function say(content: string, rest: Partial<ConversationMessage> = {}): ConversationMessage {
  return { id: 'm1', role: 'user', actorId: null, content, createdAt: MONDAY, ...rest };
}

function contents(...messages: ConversationMessage[]): string[] {
  return extractMemories(messages).map(({ content }) => content);
}

// Sentences of the corpus in any order and mix, with noise between them: near to speech, unlike random characters.
const speech = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...NO_MEMORY_SENTENCES, ...EXTRACTION_CASES.map(([said]) => said)) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
      { weight: 1, arbitrary: fc.constantFrom('ok', '...', '😀', '[shared image: two lamps]', 'and', '"', ',') },
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(' '));
const actor = fc.constantFrom('Ana', 'Jean-Luc', 'user_17', null);

describe('extractMemories', () => {
  it('never leaves a first-person pronoun in a memory', () => {
    fc.assert(
      fc.property(speech, actor, (content, actorId) => {
        for (const memory of extractMemories([say(content, { actorId })])) {
          expect(memory.content).not.toMatch(
            /(?<![\p{L}\d'’-])(?:I|I['’]\w+|me|my|mine|myself|we|our|ours|ourselves)(?![\p{L}\d-])/iu,
          );
        }
      }),
    );
  });

  it('cites words that stand in the message, unchanged', () => {
    fc.assert(
      fc.property(speech, (content) => {
        for (const { evidence } of extractMemories([say(content)])) {
          expect(evidence.map(({ message_id }) => message_id)).toEqual(['m1']);
          expect(content).toContain(evidence[0]!.quote);
        }
      }),
    );
  });

  it('gives the same memories for the same words', () => {
    fc.assert(
      fc.property(fc.array(speech, { maxLength: 4 }), (said) => {
        const messages = said.map((content, index) => say(content, { id: `m${index}` }));
        expect(extractMemories(messages)).toEqual(extractMemories(messages));
      }),
    );
  });

  it('gives memories that fit the contract and 280 characters', () => {
    fc.assert(
      fc.property(speech, (content) => {
        for (const memory of extractMemories([say(content)])) {
          expect(extractedMemorySchema.parse(memory)).toEqual(memory);
          expect(memory.content.length).toBeLessThanOrEqual(MAX_CONTENT_LENGTH);
        }
      }),
    );
  });

  it('follows the order of the messages', () => {
    fc.assert(
      fc.property(fc.array(speech, { minLength: 2, maxLength: 4 }), (said) => {
        const messages = said.map((content, index) => say(content, { id: `m${index}` }));
        const places = extractMemories(messages).map(({ evidence }) => Number(evidence[0]!.message_id.slice(1)));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }),
    );
  });

  it('links only to earlier memories of the same message', () => {
    fc.assert(
      fc.property(fc.array(speech, { maxLength: 4 }), (said) => {
        const memories = extractMemories(said.map((content, index) => say(content, { id: `m${index}` })));
        memories.forEach(({ relations, evidence }, index) => {
          for (const { to_index } of relations ?? []) {
            expect(to_index).toBeLessThan(index);
            expect(memories[to_index]!.evidence[0]).toMatchObject({ message_id: evidence[0]!.message_id });
          }
        });
      }),
    );
  });

  it.each(['system', 'tool', 'assistant'] as const)('takes nothing from %s messages', (role) => {
    expect(contents(say('I live in Lisbon.', { role }))).toEqual([]);
  });

  it.each(ATTACK_CORPUS.flatMap(({ memories, ...rest }) => (memories ? [{ ...rest, memories }] : [])))(
    'takes facts of the right person from their own words: %j',
    ({ kind, isAttack, messages, userId = 'mara', memories }) => {
      const said = messages.map(({ content, actor: actorId = null, role = 'user' }, index) =>
        say(content, { id: `m${index}`, actorId, role }),
      );
      const found = extractMemories(said, { id: userId, names: [] }).map(({ content }) => content);
      // A procedure is no memory of these rules.
      if (kind === 'procedure' && isAttack) expect(found.filter((content) => !memories.includes(content))).toEqual([]);
      else expect(found.toSorted()).toEqual(memories.toSorted());
    },
  );

  it('writes the sentences of another participant without an article of the user', () => {
    const said = say('My sister Eva is a pilot. My boss wants me to lead the new team.', { actorId: 'U0423' });
    expect(contents(said)).toEqual([
      "Another participant (U0423)'s sister Eva is a pilot.",
      "Another participant (U0423)'s boss wants another participant (U0423) to lead the new team.",
    ]);
  });

  it('writes "the user" inside a sentence', () => {
    expect(contents(say('My sister Eva is a pilot. My boss wants me to lead the new team.'))).toEqual([
      "The user's sister Eva is a pilot.",
      "The user's boss wants the user to lead the new team.",
    ]);
  });

  it('links two statements about the same person', () => {
    const [first, second] = extractMemories([say('My sister Eva is a pilot. I visited Eva in Rome last week.')]);
    expect(first).not.toHaveProperty('relations');
    expect(second?.relations).toEqual([{ to_index: 0, relation_type: 'related_to', strength: 0.8 }]);
  });

  it('keeps a repeated statement once, with both messages as evidence', () => {
    const memories = extractMemories([say('I like tea.'), say('Really, I like tea!', { id: 'm2' })]);
    expect(memories).toHaveLength(1);
    expect(memories[0]!.evidence).toEqual([
      { message_id: 'm1', quote: 'I like tea.' },
      { message_id: 'm2', quote: 'Really, I like tea!' },
    ]);
  });

  it('raises importance and confidence of a dated duty over an undated one', () => {
    const [undated] = extractMemories([say('I need to renew my passport.')]);
    const [dated] = extractMemories([say('I need to renew my passport by Friday.')]);
    expect([undated?.importance, undated?.confidence]).toEqual([3, 0.8]);
    expect([dated?.importance, dated?.confidence]).toEqual([4, 0.85]);
  });

  it('gives no start to what is still to come', () => {
    const [memory] = extractMemories([say("I'm flying to Madrid tomorrow.")]);
    expect(memory?.content).toBe('The user is flying to Madrid on 9 May 2023.');
    expect(memory).not.toHaveProperty('valid_from');
  });

  it('reads a message of 100 kB only as far as its limit', () => {
    const sentence = 'I bought a lamp. ';
    const behind = `${'x '.repeat(MAX_MESSAGE_LENGTH / 2)}I live in Lisbon. ${sentence.repeat(6_000)}`;
    expect(contents(say(behind))).toEqual([]);
    const underLine = `I have a dog.\n${'—\n'.repeat(100)}I live in Lisbon.`;
    expect(contents(say(underLine))).toHaveLength(2);
  });

  it.each(['I', 'I like ', 'and ', 'I bought a lamp. ', '—\n'])(
    'takes linear time on %j repeated, up to the limit of a message and far above it',
    (piece) => {
      const read = (length: number) => extractMemories([say(''.padEnd(length, piece))]);
      for (const length of [MAX_MESSAGE_LENGTH, 100_000])
        expect(measureCpuGrowth(read, length)).toBeLessThan(MAX_LINEAR_GROWTH);
    },
  );

  it('stops at its limits for a message and for an answer', () => {
    const towns = Array.from({ length: 30 }, (_, index) => `I visited the town number ${index} of Spain.`);
    expect(extractMemories([say(towns.join(' '))])).toHaveLength(MAX_MEMORIES_PER_MESSAGE);
    const messages = Array.from({ length: 15 }, (_, index) =>
      say(towns.map((town) => town.replace('Spain', `region ${index}`)).join(' '), { id: `m${index}` }),
    );
    expect(extractMemories(messages)).toHaveLength(MAX_MEMORIES);
  });

  it('does not cut a character in two at the limit', () => {
    const content = `I like tea. ${'😀'.repeat(MAX_MESSAGE_LENGTH)}`;
    for (const { evidence } of extractMemories([say(content)])) expect(evidence[0]!.quote.isWellFormed()).toBe(true);
  });
});
