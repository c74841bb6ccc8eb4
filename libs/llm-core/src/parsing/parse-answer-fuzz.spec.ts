import fc from 'fast-check';
import { LLMError } from '../provider/llm-error.js';
import { parseAnswer } from './parse-answer.js';
import { repairJson } from './repair-json.js';

const words = fc
  .array(
    fc.constantFrom(
      'Ana',
      'tea',
      'Porto,',
      '"green"',
      "Bob's",
      'é',
      '\u{1f375}',
      'C:\\x',
      '{a}',
      '[b]',
      '2023',
      'a: b',
      '\n',
      '\t',
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(' '));
const memory = fc.record(
  {
    content: words,
    category: fc.constantFrom('preferences', 'biography', 'relationships'),
    type: fc.constantFrom('semantic', 'episodic'),
    importance: fc.integer({ min: 1, max: 5 }),
    confidence: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
    evidence: fc.array(fc.record({ message_id: fc.constantFrom('m1', 'm2'), quote: words }), { maxLength: 2 }),
    rationale: words,
    emotionalContext: fc.dictionary(fc.constantFrom('joy', 'mood'), words),
  },
  { requiredKeys: ['content', 'category', 'evidence'] },
);
const answer = fc
  .tuple(fc.array(memory, { maxLength: 4 }), fc.constantFrom(0, 2))
  .map(([memories, indent]) => JSON.stringify({ schemaVersion: 'memory_llm_response_v1', memories }, null, indent));
const PIECES = [
  '"',
  "'",
  '\\',
  ',',
  ':',
  '{',
  '}',
  '[',
  ']',
  '\n',
  '+',
  '//',
  '/*',
  '1',
  '.',
  'null',
  'tea',
  '`',
  '\u201d',
  '&quot;',
  '","',
  '"}',
  '},{',
];
// Uniform over the text, which fc.double is not.
const share = fc.nat({ max: 999_999 }).map((millionths) => millionths / 1_000_000);
const mutation = fc.record({
  kind: fc.constantFrom('delete', 'insert', 'replace', 'cut'),
  position: share,
  length: fc.integer({ min: 1, max: 30 }),
  piece: fc.constantFrom(...PIECES),
});
const mutated = fc
  .tuple(answer, fc.array(mutation, { minLength: 1, maxLength: 4 }))
  .map(([text, mutations]) => mutations.reduce(mutate, text));

function mutate(
  text: string,
  { kind, position, length, piece }: { kind: string; position: number; length: number; piece: string },
) {
  const at = Math.floor(position * text.length);
  if (kind === 'cut') return text.slice(0, at);
  const removed = kind === 'insert' ? 0 : kind === 'delete' ? length : piece.length;
  return text.slice(0, at) + (kind === 'delete' ? '' : piece) + text.slice(at + removed);
}

function read(text: string) {
  try {
    return parseAnswer(text, { truncated: false }).memories;
  } catch (error) {
    if (error instanceof LLMError && error.type === 'parsing') return [];
    throw error;
  }
}

function listStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...listStrings(member)]);
}

// Decodes the text: every escape to its character, every kind of quote to a double quote.
function decode(text: string): string {
  const characters = text.replace(/\\(?:u([0-9a-f]{4})|([^]))/gi, (_, code?: string, char?: string) =>
    code
      ? String.fromCharCode(Number.parseInt(code, 16))
      : ({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }[char!] ?? char!),
  );
  return characters.replace(/['`\u201c\u201d]|&quot;/g, '"');
}

// Defaults of the contract, and field names.
const NOT_FROM_THE_ANSWER = /^(?:semantic|type|importance|\d+)$/;

describe('parseAnswer with a damaged answer', () => {
  it('returns only strings that occur in the answer, each complete', () => {
    let retained = 0;
    fc.assert(
      fc.property(mutated, (text) => {
        const decoded = decode(text);
        for (const found of read(text)) {
          retained += 1;
          // 0 and 1 may come from clamping.
          if (![undefined, 0, 1].includes(found.confidence)) expect(text).toContain(String(found.confidence));
          for (const string of listStrings(found).filter((value) => !NOT_FROM_THE_ANSWER.test(value))) {
            const isWord = /^[\w.:+-]+$/.test(string);
            const normal = decode(JSON.stringify(string).slice(1, -1));
            expect(decoded).toContain(isWord ? normal : `"${normal}"`);
          }
        }
      }),
      { numRuns: 2_000 },
    );
    expect(retained).toBeGreaterThan(500);
  });

  it('is idempotent: a repaired document needs no further repair', () => {
    fc.assert(
      fc.property(mutated, (text) => {
        const repaired = repairJson(text);
        if (repaired) expect(repairJson(repaired.text)).toEqual({ text: repaired.text, repairs: 0 });
      }),
      { numRuns: 1_000 },
    );
  });

  it('returns every memory of an undamaged answer', () => {
    fc.assert(
      fc.property(answer, (text) => {
        const { memories, repairs, dropped } = parseAnswer(text, { truncated: false });
        const expected = (JSON.parse(text) as { memories: object[] }).memories.length;
        expect([memories.length, repairs, dropped]).toEqual([expected, 0, 0]);
      }),
    );
  });

  it('returns the complete memories of a truncated answer unchanged', () => {
    fc.assert(
      fc.property(answer, share, (text, position) => {
        const whole = parseAnswer(text, { truncated: false }).memories;
        const retained = read(text.slice(0, Math.floor(position * text.length)));
        expect(retained).toEqual(whole.slice(0, retained.length));
      }),
    );
  });
});
