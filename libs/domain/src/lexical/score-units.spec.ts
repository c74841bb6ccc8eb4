import fc from 'fast-check';
import { pickBest } from './pick-best.js';
import { dropFormerUnits, encodeEntries, ENTRY_BYTES } from './posting-entries.js';
import { scoreUnits } from './score-units.js';
import type { PostingEntry, PostingList, QueryTerm, RecallKind } from './types.js';

const statistics = { memory: { units: 40, totalLength: 400 }, turn: { units: 60, totalLength: 1_200 } };
const list = (term: string, kind: RecallKind, entries: PostingEntry[]): PostingList => ({
  term,
  kind,
  entries: encodeEntries(entries),
});
const score = (lists: PostingList[], query: QueryTerm[], limit = 10) => {
  const { units, ceiling } = scoreUnits({ lists, query, statistics, limit });
  return { units, ceiling };
};

const anyEntry = fc.record({
  unit: fc.integer({ min: -3, max: 30 }),
  weight: fc.integer({ min: 1, max: 200 }),
  length: fc.integer({ min: 1, max: 60 }),
});
const anyLists = fc.array(
  fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.array(anyEntry, { minLength: 1, maxLength: 20 })),
  { maxLength: 5 },
);
const toLists = (lists: (readonly [string, PostingEntry[]])[]) => lists.map(([term, own]) => list(term, 'turn', own));
const query = ['a', 'b', 'c'].map((term) => ({ term, weight: 1 }));

/** The entries of one or several segments. */
function decodeEntries(bytes: Uint8Array): PostingEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.byteLength / ENTRY_BYTES) }, (_, index) => ({
    unit: view.getInt32(index * ENTRY_BYTES, true),
    weight: view.getUint16(index * ENTRY_BYTES + 4, true),
    length: view.getUint16(index * ENTRY_BYTES + 6, true),
  }));
}

describe('posting entries', () => {
  it('are decoded as encoded, in 8 bytes each, and can be concatenated', () => {
    fc.assert(
      fc.property(fc.array(anyEntry), fc.array(anyEntry), (one, other) => {
        const bytes = Buffer.concat([encodeEntries(one), encodeEntries(other)]);
        expect(bytes.length).toBe((one.length + other.length) * 8);
        expect(decodeEntries(bytes)).toEqual([...one, ...other]);
      }),
    );
  });

  it('are capped at their maximum values', () => {
    expect(decodeEntries(encodeEntries([{ unit: -1, weight: 70_000, length: 70_000 }]))).toEqual([
      { unit: -1, weight: 65_535, length: 65_535 },
    ]);
  });
});

describe('dropFormerUnits', () => {
  it('leaves out the units below the first one, and keeps texts that are not in the index', () => {
    fc.assert(
      fc.property(fc.array(anyEntry), fc.integer({ min: -5, max: 40 }), (entries, firstUnit) => {
        const kept = entries.filter(({ unit }) => unit < 0 || unit >= firstUnit);
        expect(decodeEntries(dropFormerUnits(encodeEntries(entries), firstUnit))).toEqual(kept);
      }),
    );
    const entries = [-1, 0, 4, 5, 6].map((unit) => ({ unit, weight: 16, length: 3 }));
    expect(decodeEntries(dropFormerUnits(encodeEntries(entries), 5)).map(({ unit }) => unit)).toEqual([-1, 5, 6]);
  });
});

describe('scoreUnits', () => {
  it('returns the value that was computed manually', () => {
    const { units, ceiling } = score(
      [
        list('a', 'turn', [
          { unit: 3, weight: 32, length: 20 },
          { unit: 5, weight: 8, length: 40 },
        ]),
      ],
      [{ term: 'a', weight: 0.5 }],
    );
    // idf = ln(1 + 98.5 / 2.5); a turn of average length has damping 1: 2 / (2 + 1); of twice that 1.5: 0.5 / (0.5 + 1.5)
    const gain = Math.log(1 + 98.5 / 2.5) * 0.5 * 2;
    expect(ceiling).toBeCloseTo(gain, 12);
    expect(units).toEqual([
      { kind: 'turn', unit: 3, score: expect.closeTo((gain * 2) / 3, 12) },
      { kind: 'turn', unit: 5, score: expect.closeTo(gain / 4, 12) },
    ]);
  });

  it('normalises lengths of memories by memories and of turns by turns', () => {
    const entry = { weight: 16, length: 10 };
    const { units } = score(
      [list('a', 'memory', [{ unit: 0, ...entry }]), list('a', 'turn', [{ unit: 1, ...entry }])],
      [{ term: 'a', weight: 1 }],
    );
    expect(units.map(({ kind }) => kind)).toEqual(['turn', 'memory']);
  });

  it('matches nothing by a boost alone, and raises scores of matching units by its share', () => {
    const boost = { term: 'b', weight: 0.8, isBoost: true };
    const lists = [
      list('a', 'turn', [{ unit: 1, weight: 16, length: 5 }]),
      list('b', 'turn', [
        { unit: 1, weight: 16, length: 5 },
        { unit: 2, weight: 16, length: 5 },
      ]),
    ];
    const [plain] = score(lists, [{ term: 'a', weight: 1 }]).units;
    const raised = score(lists, [{ term: 'a', weight: 1 }, boost]);
    expect(raised.units).toEqual([{ kind: 'turn', unit: 1, score: expect.closeTo(plain!.score * 1.8, 12) }]);
  });

  it('raises units of the one kind that a boost is for', () => {
    const entry = { weight: 16, length: 10 };
    const lists = ['a', 'b'].flatMap((term) => [
      list(term, 'memory', [{ unit: 0, ...entry }]),
      list(term, 'turn', [{ unit: 1, ...entry }]),
    ]);
    const plain = score(lists, [{ term: 'a', weight: 1 }]).units;
    const raised = score(lists, [
      { term: 'a', weight: 1 },
      { term: 'b', weight: 1, isBoost: true, kind: 'memory' },
    ]).units;
    const scoreOf = (units: typeof plain, unit: number) => units.find((each) => each.unit === unit)!.score;
    expect(scoreOf(raised, 0)).toBeCloseTo(2 * scoreOf(plain, 0), 12);
    expect(scoreOf(raised, 1)).toBeCloseTo(scoreOf(plain, 1), 12);
  });

  it('does not depend on the order of the lists, nor on their segments', () => {
    fc.assert(
      fc.property(anyLists, fc.nat({ max: 20 }), (lists, cut) => {
        const whole = score(toLists(lists), query);
        expect(score(toLists(lists.toReversed()), query)).toEqual(whole);
        const halves = lists.flatMap(([term, own]) => [
          [term, own.slice(0, cut)] as const,
          [term, own.slice(cut)] as const,
        ]);
        expect(score(toLists(halves.map(([term, own]) => [term, [...own]])), query)).toEqual(whole);
      }),
    );
  });

  it('reads bytes at any alignment', () => {
    const entries = encodeEntries([{ unit: 4, weight: 16, length: 9 }]);
    const moved = Buffer.concat([Buffer.alloc(1), entries]).subarray(1);
    expect(score([{ term: 'a', kind: 'turn', entries: moved }], query)).toEqual(
      score([{ term: 'a', kind: 'turn', entries }], query),
    );
  });

  it('returns scores above 0 and below the ceiling, best first', () => {
    fc.assert(
      fc.property(anyLists, (lists) => {
        const { units, ceiling } = score(toLists(lists), query);
        units.forEach(({ score: own }, position) => {
          expect(own).toBeGreaterThan(0);
          expect(own).toBeLessThan(ceiling);
          if (position > 0) expect(own).toBeLessThanOrEqual(units[position - 1]!.score);
        });
      }),
    );
  });

  it('rises with the weight of a term and falls with the length of the unit', () => {
    fc.assert(
      fc.property(anyEntry, fc.integer({ min: 1, max: 99 }), (entry, more) => {
        const of = (changed: Partial<PostingEntry>) =>
          score([list('a', 'turn', [{ ...entry, ...changed }])], query).units[0]!.score;
        expect(of({ weight: entry.weight + more })).toBeGreaterThan(of({}));
        expect(of({ length: entry.length + more })).toBeLessThan(of({}));
      }),
    );
  });

  it('returns nothing for empty input', () => {
    expect(score([], query)).toEqual({ units: [], ceiling: expect.any(Number) });
    expect(score([], [])).toEqual({ units: [], ceiling: 0 });
  });

  it('returns the score of any unit, including those beyond the limit', () => {
    const lists = [
      list('a', 'turn', [
        { unit: 1, weight: 32, length: 5 },
        { unit: 2, weight: 16, length: 5 },
      ]),
    ];
    const { units, scoreOf } = scoreUnits({ lists, query, statistics, limit: 1 });
    expect(units.map(({ unit }) => unit)).toEqual([1]);
    expect(scoreOf(1)).toBe(units[0]!.score);
    expect(scoreOf(2)).toBeGreaterThan(0);
    expect(scoreOf(2)).toBeLessThan(scoreOf(1));
    expect(scoreOf(99)).toBe(0);
  });
});

describe('pickBest', () => {
  it('returns the same as a full sort', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 })), fc.nat({ max: 10 }), (scores, limit) => {
        const sorted = [...scores.keys()].toSorted((a, b) => scores[b]! - scores[a]! || a - b);
        expect(pickBest(Float64Array.from(scores), limit, () => true)).toEqual(
          sorted.filter((position) => scores[position]! > 0).slice(0, limit),
        );
      }),
    );
  });
});
