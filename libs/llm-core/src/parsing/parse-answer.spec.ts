import { LLMError } from '../provider/llm-error.js';
import { MALFORMED_ANSWERS, DOG, PORTO, TEA, VALID } from './malformed-answers.fixture.js';
import { parseAnswer } from './parse-answer.js';

const WHOLE = { truncated: false };

function failure(text: string, truncated = false): LLMError {
  try {
    parseAnswer(text, { truncated });
  } catch (error) {
    if (error instanceof LLMError) return error;
    throw error;
  }
  throw new Error('expected an LLMError');
}

describe('parseAnswer', () => {
  it('parses the current response schema unchanged', () => {
    expect(parseAnswer(VALID, WHOLE)).toEqual({
      memories: [TEA, PORTO, DOG],
      repairs: 0,
      dropped: 0,
      adaptedFrom: null,
    });
  });

  it.each(MALFORMED_ANSWERS)('invents no value ($name)', ({ answer, outcome }) => {
    if (outcome === 'unreadable') {
      expect(failure(answer)).toMatchObject({ type: 'parsing', retryable: true });
    } else {
      const { memories, dropped } = parseAnswer(answer, WHOLE);
      expect({ memories, dropped }).toEqual({ dropped: 0, ...outcome });
    }
  });

  it('is tested with more than 60 malformed answers with unique names', () => {
    expect(new Set(MALFORMED_ANSWERS.map(({ name }) => name)).size).toBe(MALFORMED_ANSWERS.length);
    expect(MALFORMED_ANSWERS.length).toBeGreaterThan(60);
  });

  it('resolves short names to message ids and leaves unknown names to grounding', () => {
    const messageIds = new Map([
      ['m1', 'first'],
      ['m3', 'third'],
    ]);
    const { memories } = parseAnswer(VALID, { truncated: false, messageIds });
    expect(memories.map(({ evidence }) => evidence.map(({ message_id }) => message_id))).toEqual([
      ['first'],
      ['m2'],
      ['third', 'm4'],
    ]);
  });

  it('removes citations of context without dropping the memory', () => {
    const messageIds = new Map([['m1', 'first']]);
    const contextCitation = { message_id: 'c2', quote: 'Tea or coffee?' };
    const text = format([
      { ...TEA, evidence: [contextCitation, ...TEA.evidence] },
      { ...PORTO, evidence: [contextCitation] },
    ]);
    const { memories } = parseAnswer(text, { truncated: false, messageIds });
    expect(memories.map(({ evidence }) => evidence)).toEqual([[{ ...TEA.evidence[0], message_id: 'first' }], []]);
  });

  it.each([
    ['a day', { valid_from: '2023-05-01' }, { valid_from: '2023-05-01T00:00:00Z' }],
    ['a time without a zone', { valid_to: '2023-05-01T08:30:00' }, { valid_to: '2023-05-01T08:30:00Z' }],
    ['an empty date', { valid_from: '', valid_to: ' ' }, {}],
    ['a beginning in words', { valid_from: 'last summer' }, {}],
    ['numbers in quotes', { confidence: '0.9', importance: ' 4' }, { confidence: 0.9, importance: 4 }],
    ['a relation on another scale', { relations: [{ to_index: 0, relation_type: 'part_of', strength: 5 }] }, {}],
  ])('accepts a memory with %s', (_, fields, expected) => {
    const { valid_from: _from, ...bare } = PORTO;
    const { memories, dropped } = parseAnswer(format([{ ...bare, ...fields }]), WHOLE);
    expect({ memories, dropped }).toEqual({ memories: [{ ...bare, ...expected }], dropped: 0 });
  });

  it.each(['last year', '2023-13-01', '2023-02-30'])('rejects a memory with the end %s', (valid_to) => {
    expect(failure(format([{ ...PORTO, valid_to }])).message).toContain('memories.0.valid_to');
  });

  it('remaps relations after dropped memories, and removes relations to them', () => {
    const relation = { relation_type: 'related_to', strength: 0.5 };
    const relations = [
      { ...relation, to_index: 0 },
      { ...relation, to_index: 1 },
    ];
    const text = format([{ ...TEA, content: '' }, PORTO, { ...DOG, relations }]);
    expect(parseAnswer(text, WHOLE)).toMatchObject({
      memories: [PORTO, { ...DOG, relations: [{ ...relation, to_index: 0 }] }],
      dropped: 1,
    });
  });

  it.each([
    ['memory_llm_response_v0', { schemaVersion: 'memory_llm_response_v0', memory: TEA }],
    ['singular', { memory: TEA }],
    ['unversioned', { memories: [TEA] }],
    ['bare_list', [TEA]],
    ['bare_memory', TEA],
    [null, { schemaVersion: 'memory_llm_response_v1', memories: [TEA] }],
  ])('reports the adapter %s, and parses its own result unchanged', (adaptedFrom, document) => {
    const { memories, ...rest } = parseAnswer(JSON.stringify(document), WHOLE);
    expect(rest).toEqual({ repairs: 0, dropped: 0, adaptedFrom });
    expect(parseAnswer(format(memories), WHOLE)).toEqual({ memories, repairs: 0, dropped: 0, adaptedFrom: null });
  });

  it('returns at most 200 memories and counts the rest as dropped', () => {
    expect(parseAnswer(format(Array(203).fill(TEA)), WHOLE)).toMatchObject({ dropped: 3 });
  });

  it.each([
    ['truncated before the first memory', VALID.slice(0, 60)],
    ['with an empty list, but truncated', format([])],
    ['truncated before any JSON', 'Let me think'],
  ])('rejects an answer %s instead of returning no memories', (_, text) => {
    expect(failure(text, true).message).toContain('ended before its first memory was complete');
  });

  it('returns the complete memories of an answer truncated at the output limit', () => {
    expect(parseAnswer(VALID.slice(0, -40), { truncated: true })).toMatchObject({ memories: [TEA, PORTO], dropped: 1 });
  });

  it.each([
    ['the path of an invalid value', format([{ ...TEA, type: 'lasting' }]), 'invalid_value at memories.0.type'],
    ['the first three of many issues', format([{}, {}, {}]), /memories\.0\.content; .*; and \d+ more\.$/],
    [
      'an unknown schema version',
      '{"schemaVersion":"memory_llm_response_v2"}',
      '"memory_llm_response_v2", which is not',
    ],
    ['the position of invalid JSON', '{"memories":[{"content"=1}]}', 'from character 23 on'],
    ['a missing list', '{"schemaVersion":"memory_llm_response_v1"}', 'no list at "memories"'],
    ['text without JSON', 'I like tea', 'not JSON (10 characters)'],
  ])('describes %s in its error', (_, text, message) => {
    expect(failure(text).message).toEqual(
      message instanceof RegExp ? expect.stringMatching(message) : expect.stringContaining(message),
    );
  });

  it('never quotes the answer in its error', () => {
    const odd = { ...TEA, category: 'Secret Words', emotionalContext: { secretKey: ['secret'] } };
    const texts = [
      format([odd]),
      '{"secret',
      'secret'.repeat(50),
      format('secret'),
      '{"memories":[{"secret"=1}]}',
      '{"schemaVersion":"secret","memories":[]}',
      '{"secret":1}',
    ];
    for (const text of texts) expect(failure(text).message.toLowerCase()).not.toContain('secret');
  });
});

function format(memories: unknown): string {
  return JSON.stringify({ schemaVersion: 'memory_llm_response_v1', memories });
}
