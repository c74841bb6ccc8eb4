import fc from 'fast-check';
import { runAtOnce } from '../text/sliced.js';
import { analyzeMemory, analyzeTurns } from './analyze-unit.js';
import { analyzeQuery } from './analyze-query.js';
import { CONCEPTS } from './concepts.js';
import { toIndexTerm } from './to-index-term.js';
import type { IndexedTurn, UnitTerms } from './types.js';

const SAID_AT = Date.UTC(2024, 2, 15, 12);
const turn = (id: string, content: string, rest: Partial<IndexedTurn> = {}): IndexedTurn => ({
  id,
  role: 'user',
  speaker: null,
  content,
  saidAt: SAID_AT,
  isNew: true,
  ...rest,
});
const query = (text: string) => new Map(analyzeQuery(text, { now: SAID_AT }).map((term) => [term.term, term]));

describe('toIndexTerm', () => {
  it.each([
    ['went', 'go'],
    ['goes', 'go'],
    ['children', 'child'],
    ['kids', 'child'],
    ['running', 'run'],
    ['lives', 'live'],
    ['leaves', 'leav'],
    ['leave', 'leav'],
    ['ran', 'run'],
  ])('maps %j to %j', (word, term) => {
    expect(toIndexTerm(word)).toBe(term);
  });
});

describe('concepts', () => {
  it('match a general query with a specific answer, and synonyms with each other', () => {
    const shared = (asked: string, said: string) => {
      const terms = analyzeMemory({ content: said, category: 'x', validFrom: SAID_AT, speaker: null }).terms;
      return [...query(asked).keys()].some((term) => /^[~=]/.test(term) && terms.has(term));
    };
    expect(shared('Which instruments?', 'He plays the violin')).toBe(true);
    expect(shared('Any pets?', 'We got a hamster')).toBe(true);
    expect(shared('Which film?', 'It was a good movie')).toBe(true);
    expect(shared('Which violin?', 'He plays the piano')).toBe(false);
    expect(shared('Where does she live?', 'The user moved to Berlin')).toBe(true);
    expect(shared('Where does she live?', 'The user works as a nurse')).toBe(false);
  });

  it('are marked, so that no word of a text equals one', () => {
    for (const concepts of [CONCEPTS.ofText, CONCEPTS.ofQuery]) {
      for (const [term, names] of concepts) {
        expect(term).toMatch(/^[\p{L}\p{N}]+$/u);
        for (const name of names) expect(name).toMatch(/^[~=][a-z-]+$/);
      }
    }
  });
});

const analyzeNow = (run: readonly IndexedTurn[]) => runAtOnce(analyzeTurns(run));

describe('analyzeTurns', () => {
  it('weighs an own word 16, words of neighbours 8 and 4, and words of the preceding question 6 more', () => {
    const units = analyzeNow([turn('a', 'Where is your zither?'), turn('b', 'Upstairs'), turn('c', 'Fine weather')]);
    expect(units.get('a')!.terms.get('zither')).toBe(16);
    expect(units.get('b')!.terms.get('zither')).toBe(8 + 6);
    expect(units.get('c')!.terms.get('zither')).toBe(4);
  });

  it('indexes the speaker by name, by role, or by the name before a colon', () => {
    const units = analyzeNow([
      turn('a', 'Hello', { speaker: 'Ana Maria' }),
      turn('b', 'Hello', { role: 'assistant' }),
      turn('c', 'Ben: hello'),
      turn('d', 'Hello', { speaker: 'U0423', isOther: true }),
    ]);
    expect([...units.get('a')!.terms.keys()]).toEqual(expect.arrayContaining(['by:ana', 'by:maria', '#user']));
    expect(units.get('b')!.terms.has('#assistant')).toBe(true);
    expect(units.get('c')!.terms.has('by:ben')).toBe(true);
    expect([...units.get('d')!.terms.keys()]).toContain('by:u0423');
    expect(units.get('d')!.terms.has('#user')).toBe(false);
  });

  it('indexes the day of the message and the days that it mentions', () => {
    const { terms } = analyzeNow([turn('a', 'We sailed yesterday')]).get('a')!;
    expect(terms.get('@3-15')).toBe(8);
    expect(terms.get('@3-14')).toBe(16);
    expect(terms.get('march')).toBe(24);
    expect(terms.get('#time')).toBe(16);
  });

  it('takes no context from another session', () => {
    const units = analyzeNow([turn('a', 'A zither', { saidAt: SAID_AT - 86_400_000 }), turn('b', 'Upstairs')]);
    expect(units.get('b')!.terms.has('zither')).toBe(false);
  });

  it('takes only the nearest words of a long neighbour', () => {
    const words = Array.from({ length: 100 }, (_, position) => `word${position}`).join(' ');
    const units = analyzeNow([turn('a', words), turn('b', 'Upstairs'), turn('c', words)]);
    const { terms } = units.get('b')!;
    expect(terms.has('word99')).toBe(true);
    expect(terms.has('word0')).toBe(true);
    expect(terms.has('word50')).toBe(false);
    expect(units.get('a')!.unitLength).toBeLessThan(200);
  });

  it('gives the same sums however messages are batched', () => {
    const texts = fc.array(fc.constantFrom('red tea?', 'Ben: blue tea', 'a green cup yesterday', 'yes', 'red red'), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 12, maxLength: 12 }), (said, sizes) => {
        const turns = said.map((content, position) => turn(`${position}`, content));
        expect(indexInBatches(turns, sizes)).toEqual(indexInBatches(turns, [turns.length]));
      }),
    );
  });

  it('adds only new turns to the length of the collection', () => {
    const units = analyzeNow([turn('old', 'A red cup', { isNew: false }), turn('new', 'On the table')]);
    expect(units.get('old')!.length).toBe(0);
    expect(units.get('old')!.unitLength).toBeGreaterThan(0);
    expect(units.get('old')!.terms.has('red')).toBe(false);
    expect(units.get('old')!.terms.get('tabl')).toBe(8);
    expect(units.get('new')!.length).toBe(units.get('new')!.unitLength);
  });
});

/** The weights of all turns, summed over batches of these sizes. */
function indexInBatches(turns: readonly IndexedTurn[], sizes: readonly number[]): Record<string, object> {
  const index = new Map<string, Map<string, number>>();
  let start = 0;
  for (const size of [...sizes, turns.length]) {
    const run = turns.slice(Math.max(0, start - 2), start + size).map((entry) => ({
      ...entry,
      isNew: Number(entry.id) >= start,
    }));
    for (const [id, unit] of start < turns.length ? analyzeNow(run) : new Map<string, UnitTerms>()) {
      const terms = index.get(id) ?? new Map<string, number>();
      for (const [term, weight] of unit.terms) terms.set(term, (terms.get(term) ?? 0) + weight);
      index.set(id, terms);
    }
    start += size;
  }
  return Object.fromEntries([...index].map(([id, terms]) => [id, Object.fromEntries(terms)]));
}

describe('analyzeMemory', () => {
  it('indexes its words, its category and its time', () => {
    const { terms, length } = analyzeMemory({
      content: 'Ana plays chess.',
      category: 'interests',
      validFrom: SAID_AT,
      speaker: 'Ana',
    });
    expect(Object.fromEntries(terms)).toMatchObject({ ana: 16, chess: 16, interest: 4, 'by:ana': 16, '@3-15': 8 });
    expect(length).toBe(3);
  });
});

describe('analyzeQuery', () => {
  it('weighs words by their count and concepts by half, without stop words', () => {
    const terms = query('What is a violin, a violin?');
    expect(terms.get('violin')).toEqual({ term: 'violin', weight: 2 });
    expect(query('Which instrument?').get('~instrument')).toEqual({ term: '~instrument', weight: 0.5 });
    expect(terms.has('what')).toBe(false);
  });

  it.each([
    ['What happened on May 7, 2023?', '@5-7'],
    ['What happened on the 7th of May?', '@5-7'],
    ['7 May: who came?', '@5-7'],
    ['what happened may 7', '@5-7'],
    ['What did I do yesterday?', '@3-14'],
  ])('extracts the day from %j', (text, day) => {
    const terms = query(text);
    expect(terms.get(day)).toEqual({ term: day, weight: 1 });
    expect(terms.has('7')).toBe(false);
  });

  it.each([
    ['When did Ana move?', ['by:ana', '#time']],
    ['when did ana move', ['by:ana', 'by:move', '#time']],
    ['What is my name?', ['#user', 'user']],
    ["What is the user's name?", ['#user', 'user']],
    ['Can you suggest a gift for my sister?', ['#user', 'user']],
    ['What did you recommend to me?', ['#assistant']],
    ['What was the user told by the assistant?', ['#assistant']],
    ['Where is the key?', []],
  ])('adds for %j the boosts %j', (text, boosts) => {
    const raised = [...query(text).values()].filter(({ isBoost }) => isBoost === true).map(({ term }) => term);
    expect(raised).toEqual(boosts);
  });

  it.each([
    ['What did I tell you about my dog?', 'What did the user tell the assistant about their dog?'],
    ['Which trains did you recommend to me?', 'Which trains did the assistant recommend to the user?'],
    ['Where do I work?', 'Where does the user work?'],
  ])('searches for %j and %j alike', (asked, aboutUser) => {
    expect(query(aboutUser)).toEqual(query(asked));
  });

  it('weighs the user as much as a name and more', () => {
    expect(query('Where do I live?').get('#user')!.weight).toBeGreaterThanOrEqual(
      query('Where does Ana live?').get('by:ana')!.weight,
    );
  });

  it('limits the number of terms, and returns each once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2_000 }), (text) => {
        const terms = analyzeQuery(text, { now: SAID_AT });
        expect(terms.length).toBeLessThanOrEqual(64);
        expect(new Set(terms.map(({ term }) => term)).size).toBe(terms.length);
        for (const { weight } of terms) expect(weight).toBeGreaterThan(0);
      }),
    );
  });
});
