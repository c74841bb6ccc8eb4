import {
  answerHonestly,
  HELD_OUT_MEMORY_PAIRS,
  type LabelledMemoryPair,
  lie,
  MEMORY_PAIRS,
  type ScriptedDecision,
} from '@annals/testing';
import { SeededRng } from '../determinism/rng.js';
import { createMemory } from './consolidation-memory.fixture.js';
import { listTerms } from './find-conflict.js';
import { needsSecondAnswer } from './needs-second-answer.js';
import { mergeByWords } from './merge-by-words.js';
import type { PlannedPair } from './plan-pairs.js';
import { decideByWords, planRun, type RunChange } from './plan-run.js';

const all = [...MEMORY_PAIRS, ...HELD_OUT_MEMORY_PAIRS];
const planned = ({ a, b }: LabelledMemoryPair): PlannedPair => ({
  a: createMemory('a', { content: a }),
  b: createMemory('b', { content: b }),
  score: 0.6,
  reason: 'similar',
  fingerprint: 'ab',
});

/** The text that a run writes for a pair; null when it merges nothing. */
type MergedText = (pair: LabelledMemoryPair) => string | null;
const readMerge = ([change]: readonly RunChange[]) => (change?.kind === 'merge' ? change.content : null);
const byWords: MergedText = (pair) => readMerge(planRun([decideByWords(planned(pair))], []).changes);
const byModel =
  (answer: (pair: LabelledMemoryPair) => ScriptedDecision): MergedText =>
  (pair) =>
    readMerge(planRun([{ pair: planned(pair), by: 'model', ...answer(pair) }], []).changes);

/** A merge of which one memory says more is written when a second answer agrees. */
const byAgreement =
  (answer: (pair: LabelledMemoryPair) => ScriptedDecision): MergedText =>
  (pair) => {
    const decide = () => ({ pair: planned(pair), by: 'model', ...answer(pair) }) as const;
    const first = decide();
    const agreed = needsSecondAnswer(first) && readMerge(planRun([decide()], []).changes) === null;
    return agreed ? null : readMerge(planRun([first], []).changes);
  };

function measure(pairs: readonly LabelledMemoryPair[], merge: MergedText) {
  const merges = pairs.flatMap((pair) => {
    const text = merge(pair);
    return text === null ? [] : [{ pair, text }];
  });
  const right = merges.filter(({ pair }) => pair.expected === 'merge');
  return {
    wrong: merges
      .filter(({ pair }) => pair.expected !== 'merge')
      .map(({ pair }) => `${pair.kind}: ${pair.a} / ${pair.b}`),
    /** Merged texts without something that they must contain. */
    lost: right
      .filter(({ pair, text }) => pair.mustContain.some((words) => !hasWords(text, words)))
      .map(({ text }) => text),
    precision: right.length / Math.max(1, merges.length),
    found: right.length / pairs.filter(({ expected }) => expected === 'merge').length,
  };
}

/** Of two texts with one meaning, words keep either: "six" or "6". */
const SPELLINGS: Readonly<Record<string, string>> = {
  six: '6',
  thirty: '30',
  not: "n't",
  '6pm': '18:00',
  Saturday: 'Saturdays',
  'two litres': '2 litres',
  'no debts': 'not have any debts',
};

function hasWords(text: string, words: string): boolean {
  const other = Object.entries(SPELLINGS).reduce((spelt, [word, spelling]) => spelt.replace(word, spelling), words);
  return text.includes(words) || text.includes(other);
}

describe('the corpus of pairs', () => {
  it('has 300 pairs and 60 of each kind in ten domains, a third of them held out', () => {
    expect(all.length).toBeGreaterThanOrEqual(300);
    expect(new Set(all.map(({ domain }) => domain)).size).toBe(10);
    for (const kind of ['same', 'topic', 'changed', 'negation', 'other']) {
      expect(all.filter((pair) => pair.kind === kind).length).toBeGreaterThanOrEqual(60);
    }
    expect(HELD_OUT_MEMORY_PAIRS.length * 3).toBeGreaterThanOrEqual(all.length * 0.95);
  });

  it('has merged texts that contain what they must', () => {
    for (const { merged, mustContain } of all.filter(({ kind }) => kind === 'same')) {
      expect(mustContain.filter((words) => !merged!.includes(words))).toEqual([]);
    }
  });
});

/** Of several seeds, so that one lucky sequence of lies shows nothing. */
const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);

describe.each([
  ['the pairs that the rules were written with', MEMORY_PAIRS, { words: 0.5, model: 0.6 }],
  ['held-out pairs', HELD_OUT_MEMORY_PAIRS, { words: 0.4, model: 0.4 }],
] as const)('of %s', (_name, pairs, found) => {
  it('words alone merge no two facts, and lose nothing', () => {
    const figures = measure(pairs, byWords);
    expect([figures.wrong, figures.lost]).toEqual([[], []]);
    expect(figures.found).toBeGreaterThanOrEqual(found.words);
  });

  it('a model with good answers merges more, and no two facts', () => {
    const figures = measure(pairs, byModel(answerHonestly));
    expect([figures.wrong, figures.lost]).toEqual([[], []]);
    expect(figures.found).toBeGreaterThanOrEqual(found.model);
  });

  it('a model that lies in a fifth of its answers changes no number, name, date or negation', () => {
    for (const seed of SEEDS) {
      const rng = new SeededRng(seed);
      const { wrong, lost } = measure(
        pairs,
        byModel((pair) => (rng.nextFloat() < 0.2 ? lie(pair, rng) : answerHonestly(pair))),
      );
      expect(wrong.filter((pair) => !pair.startsWith('topic'))).toEqual([]);
      expect(lost).toEqual([]);
    }
  });

  it('a model that always lies has no text written that says something else', () => {
    for (const seed of SEEDS) {
      const rng = new SeededRng(seed);
      const same = pairs.filter(({ expected }) => expected === 'merge');
      const merge = byModel((pair) => lie(pair, rng));
      for (const pair of same) {
        const text = merge(pair);
        // A lie without effect, or one that only leaves words out that the other memory does not have either.
        expect([null, pair.merged, pair.a, pair.b]).toContain(text);
      }
    }
  });
});

describe('of all pairs', () => {
  const precisionOf = (merge: (answer: (pair: LabelledMemoryPair) => ScriptedDecision) => MergedText) => {
    const figures = Array.from({ length: 20 }, (_, seed) => {
      const rng = new SeededRng(seed + 1);
      return measure(
        all,
        merge((pair) => (rng.nextFloat() < 0.2 ? lie(pair, rng) : answerHonestly(pair))),
      );
    });
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    return {
      precision: mean(figures.map(({ precision }) => precision)),
      lost: figures.flatMap(({ lost }) => lost),
      found: mean(figures.map(({ found }) => found)),
    };
  };

  it('at least 99 of 100 merges are right when a model lies in a fifth of its answers and is asked twice', () => {
    const [once, twice] = [precisionOf(byModel), precisionOf(byAgreement)];
    expect(twice.precision).toBeGreaterThanOrEqual(0.99);
    expect(twice.precision).toBeGreaterThan(once.precision);
    expect(twice.lost).toEqual([]);
    expect(twice.found).toBeGreaterThanOrEqual(0.45);
  });
});

describe('of all memories of the corpus, as those of one user', () => {
  const isOne = new Set(
    all.flatMap(({ a, b, expected }) => (expected === 'merge' ? [`${a} / ${b}`, `${b} / ${a}`] : [])),
  );
  const texts = [...new Set(all.flatMap(({ a, b }) => [a, b]))];
  const terms = texts.map(listTerms);
  const isNear = (i: number, j: number) => {
    const shared = [...terms[i]!].filter((term) => terms[j]!.has(term)).length;
    return shared >= 2 && shared >= 0.6 * Math.min(terms[i]!.size, terms[j]!.size);
  };
  const statement = (content: string) => ({ content, type: 'semantic' }) as const;

  it('words alone merge only those that one is contained in', () => {
    const near = texts.flatMap((a, i) => texts.flatMap((b, j) => (i < j && isNear(i, j) ? [[a, b] as const] : [])));
    expect(near.length).toBeGreaterThan(800);
    const merged = near.filter(([a, b]) => mergeByWords(statement(a), statement(b)) !== null);
    // Not labelled, because they come from two lines; each states one fact.
    expect(merged.map(([a, b]) => `${a} / ${b}`).filter((pair) => !isOne.has(pair))).toEqual([
      'The user leads a team of six engineers. / The user leads a team.',
      'The user leads a team of nine engineers. / The user leads a team.',
      'The user lives on the third floor. / The user lives on the 3rd floor.',
      'The user quit smoking. / The user quit smoking in 2019.',
      "The user doesn't like board games. / The user does not like board games.",
      'The user does not really like board games. / The user does not like board games.',
      'The user has a scholarship. / The user has a scholarship of 800 euros.',
      'The user has a scholarship. / The user has a scholarship of 800 euros a month.',
    ]);
  });
});
