import { runAtOnce } from '../text/sliced.js';
import { batchPairs } from './batch-pairs.js';
import { createMemory } from './consolidation-memory.fixture.js';
import { fingerprintPair } from './fingerprint-pair.js';
import { getPairBand, type NeighbourPair, type PairLimits, planPairs as planInSlices } from './plan-pairs.js';
import { type ConsolidationMemory, DAY_MS } from './types.js';

const NOW = Date.UTC(2026, 4, 20);
const LIMITS: PairLimits = { band: { from: 0.5, to: 0.8 }, now: NOW, known: new Set(), limit: 50 };
const a = createMemory('a', { content: 'The user plays chess.' });
const b = createMemory('b', { content: 'The user plays chess at a club.' });
const neighbour = (cosine: number | null): NeighbourPair => ({ a: 'b', b: 'a', cosine });
const planPairs = (...args: Parameters<typeof planInSlices>) => runAtOnce(planInSlices(...args));
const plan = (memories: readonly ConsolidationMemory[], cosine: number | null = 0.6, limits = LIMITS) =>
  planPairs(memories, [neighbour(cosine)], limits);
const reasonOf = (first: string, second: string, cosine: number | null) =>
  plan([createMemory('a', { content: first }), createMemory('b', { content: second })], cosine).pairs[0]?.reason;

describe('planPairs', () => {
  it('takes pairs within the band, with common words, or with the same words and other numbers', () => {
    expect(reasonOf('The user hikes.', 'The user is hiking up hills.', 0.6)).toBe('similar');
    expect(reasonOf('The user plays chess at home.', 'The user plays chess at a club.', 0.9)).toBe('same_words');
    expect(reasonOf('The user runs.', 'The user runs 8 km.', null)).toBe('other_number');
    expect(reasonOf('The user hikes.', 'The user bakes bread.', 0.4)).toBeUndefined();
    expect(reasonOf('The user hikes.', 'The user bakes bread.', null)).toBeUndefined();
  });

  it('has the band of a profile from `fallback` to below `check`', () => {
    expect(getPairBand({ auto: 0.9, check: 0.8, fallback: 0.6, link: 0.4 })).toEqual({ from: 0.6, to: 0.8 });
  });

  it('is the same for any order of memories and neighbours, most similar first', () => {
    const c = createMemory('c', { content: 'The user plays chess in a park with friends.' });
    const neighbours = [neighbour(0.6), { a: 'c', b: 'a', cosine: 0.7 }, { a: 'b', b: 'c', cosine: 0.7 }];
    const planned = planPairs([a, b, c], neighbours, LIMITS);
    expect(planned.pairs.map((pair) => [pair.a.id, pair.b.id])).toEqual([
      ['a', 'c'],
      ['b', 'c'],
      ['a', 'b'],
    ]);
    const turned = neighbours.toReversed().map((pair) => ({ a: pair.b, b: pair.a, cosine: pair.cosine }));
    expect(planPairs([c, b, a], turned, LIMITS)).toEqual(planned);
  });

  it.each<[string, Partial<ConsolidationMemory>]>([
    ['a pinned memory', { pinned: true }],
    ['a memory with consent', { isConsented: true }],
    ['an insight', { type: 'insight' }],
    ['a procedure and a fact', { type: 'procedural' }],
    ['memories of two categories', { category: 'work' }],
    [
      'memories that were last said 91 days ago',
      { createdAt: NOW - 91 * DAY_MS, updatedAt: NOW - 91 * DAY_MS, saidAt: NOW - 91 * DAY_MS },
    ],
  ])('leaves out %s', (_what, fields) => {
    expect(plan([a, { ...b, ...fields }]).pairs).toEqual([]);
    expect(plan([a, b]).pairs).toHaveLength(1);
  });

  it('leaves events of two weeks apart', () => {
    const event = (id: string, validFrom: number) =>
      createMemory(id, {
        type: 'episodic',
        content: `The user visited Rome with ${id}.`.replace(' with a', ''),
        validFrom,
      });
    expect(plan([event('a', NOW), event('b', NOW + 7 * DAY_MS)]).pairs).toHaveLength(1);
    expect(plan([event('a', NOW), event('b', NOW + 8 * DAY_MS)]).pairs).toEqual([]);
  });

  it('leaves two values of one attribute to time', () => {
    expect(reasonOf('The user lives in Berlin.', 'The user lives in Munich.', 0.7)).toBeUndefined();
  });

  it('asks nobody about pairs that differ in a fact, and remembers them', () => {
    const memories = ['Rita', 'Paulo'].map((name, index) =>
      createMemory('ab'[index]!, { content: `The user sailed with ${name}.` }),
    );
    const { pairs, opposed } = plan(memories);
    expect([pairs.length, opposed.length]).toEqual([0, 1]);
    expect(plan(memories, 0.6, { ...LIMITS, known: new Set(opposed) })).toMatchObject({ opposed: [], known: 1 });
  });

  it('compares a bounded number of pairs, in slices', () => {
    const memories = Array.from({ length: 60 }, (_, index) =>
      createMemory(`m${String(index).padStart(2, '0')}`, { content: `The user owns ${index + 2} chairs.` }),
    );
    const neighbours = memories.slice(1).map(({ id }) => ({ a: 'm00', b: id, cosine: 0.7 }));
    const work = planInSlices(memories, neighbours, { ...LIMITS, limit: 3 });
    let slices = 1;
    let step = work.next();
    for (; !step.done; step = work.next()) slices += 1;
    expect(slices).toBeGreaterThan(4);
    expect(step.value).toMatchObject({ pairs: [], postponed: 29 });
    expect(step.value.opposed).toHaveLength(30);
  });

  it('leaves out pairs of which neither is a candidate', () => {
    const old = { createdAt: NOW - 20 * DAY_MS };
    expect(plan([createMemory('a', old), createMemory('b', old)]).pairs).toEqual([]);
    expect(plan([createMemory('a', old), b]).pairs).toHaveLength(1);
  });

  it('leaves out what was decided at the same revisions and similarity', () => {
    const known = new Set(plan([a, b]).pairs.map(({ fingerprint }) => fingerprint));
    expect(plan([a, b], 0.601, { ...LIMITS, known })).toEqual({ pairs: [], opposed: [], known: 1, postponed: 0 });
    expect(plan([a, { ...b, revision: 2 }], 0.6, { ...LIMITS, known }).pairs).toHaveLength(1);
    expect(plan([a, b], 0.65, { ...LIMITS, known }).pairs).toHaveLength(1);
  });

  it('stops at the limit and says how many are left', () => {
    expect(plan([a, b], 0.6, { ...LIMITS, limit: 0 })).toEqual({ pairs: [], opposed: [], known: 0, postponed: 1 });
  });
});

describe('fingerprintPair', () => {
  it('is the same in both orders', () => {
    expect(fingerprintPair({ id: 'a', revision: 1 }, { id: 'b', revision: 2 }, 0.5)).toBe(
      fingerprintPair({ id: 'b', revision: 2 }, { id: 'a', revision: 1 }, 0.5),
    );
  });
});

describe('batchPairs', () => {
  it.each([
    [0, []],
    [3, [3]],
    [10, [10]],
    [11, [5, 6]],
    [50, [10, 10, 10, 10, 10]],
    [47, [9, 9, 10, 9, 10]],
  ])('divides %d pairs into %j', (count, sizes) => {
    const pairs = Array.from({ length: count }, (_, index) => index);
    expect(batchPairs(pairs).map(({ length }) => length)).toEqual(sizes);
    expect(batchPairs(pairs).flat()).toEqual(pairs);
  });
});
