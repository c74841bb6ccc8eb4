import { HOSTILE_TEXTS, MAX_LINEAR_GROWTH, measureCpuGrowth } from '@annals/testing';
import { detectSignals } from '../consent/detect-signals.js';
import { ANALYSIS_SLICE_UNITS } from '../lexical/analyze-text.js';
import { analyzeTurns } from '../lexical/analyze-unit.js';
import { createScored, DEFAULT_RECALL_WEIGHTS, NOW } from '../recall/recall.fixture.js';
import { renderAnswer } from '../recall/render-answer.js';
import { selectAnswers } from '../recall/select-answers.js';
import { MAX_SLICE_UNITS, runAtOnce, type Sliced } from './sliced.js';

const LENGTH = 33_000;
/** The longest message in which signals are detected. */
const OWN_WORDS = 4_000;

const countTokens = (text: string) => Math.ceil(text.length / 4);
const turnOf = (content: string, id = 'm') =>
  ({ id, role: 'user', speaker: null, content, saidAt: NOW, isNew: true }) as const;

function indexTurn(content: string): Sliced<unknown> {
  return analyzeTurns([turnOf(content)]);
}

function selectTurns(content: string): Sliced<unknown> {
  const turns = ['a', 'b'].map((id) => createScored(id, 0.5, { kind: 'turn', content }));
  return selectAnswers(turns, {
    query: 'What do I like about tea and the sea?',
    now: NOW,
    weights: DEFAULT_RECALL_WEIGHTS,
    threshold: 0,
    topK: 2,
    budgetTokens: 512,
    countTokens,
    reservedTokens: 0,
    leaveOutReplaced: false,
    renderText: renderAnswer,
  });
}

function readSignals(content: string): Sliced<unknown> {
  const parts = Math.ceil(content.length / OWN_WORDS);
  const messages = Array.from({ length: parts }, (_, index) => ({
    id: `${index}`,
    role: 'user' as const,
    actorId: null,
    content: content.slice(index * OWN_WORDS, (index + 1) * OWN_WORDS),
    saidAt: NOW,
  }));
  return detectSignals('u', messages);
}

function countSteps(work: Sliced<unknown>): number {
  let steps = 1;
  while (!work.next().done) steps += 1;
  return steps;
}

describe.each(HOSTILE_TEXTS)('$name', ({ make }) => {
  it.each([
    ['indexing a turn', indexTurn, ANALYSIS_SLICE_UNITS],
    ['selecting among turns', selectTurns, ANALYSIS_SLICE_UNITS],
    ['reading consent', readSignals, MAX_SLICE_UNITS],
  ])('is worked on in slices by %s, about twice as many for twice the text', (_what, work, maxUnits) => {
    const [single, double] = [countSteps(work(make(LENGTH))), countSteps(work(make(2 * LENGTH)))];
    expect(single).toBeGreaterThanOrEqual(LENGTH / maxUnits);
    expect(double).toBeLessThanOrEqual(2.2 * single + 1);
  });
});

describe('total work', () => {
  it.each(['line breaks', 'one letter', 'abbreviations of all kinds', 'random letters and blanks', 'dates'])(
    'is linear in the length of %s',
    (name) => {
      const { make } = HOSTILE_TEXTS.find((text) => text.name === name)!;
      const work = (length: number) => {
        const text = make(length);
        for (const read of [indexTurn, selectTurns]) runAtOnce(read(text));
      };
      expect(measureCpuGrowth(work, 120_000)).toBeLessThan(MAX_LINEAR_GROWTH);
    },
  );

  it('of reading consent is linear in empty lines', () => {
    const work = (length: number) =>
      runAtOnce(
        detectSignals('u', [{ id: 'm', role: 'user', actorId: null, content: '\n'.repeat(length), saidAt: 1 }]),
      );
    expect(measureCpuGrowth(work, OWN_WORDS)).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});
