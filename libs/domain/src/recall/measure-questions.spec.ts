import { runAtOnce } from '../text/sliced.js';
import { createQuestionMeter } from './measure-questions.js';
import { createCandidate, createScored, DEFAULT_RECALL_WEIGHTS, NOW } from './recall.fixture.js';
import { renderAnswer } from './render-answer.js';
import { scoreAnswer } from './score-answer.js';
import { selectAnswers } from './select-answers.js';

const measure = (content: string, query = 'red tea') =>
  runAtOnce(createQuestionMeter(query)({ candidate: createCandidate('a', { content }), turn: null }));

describe('createQuestionMeter', () => {
  it.each([
    ['Do you like red tea?', 1],
    ['Really?! Do you like red tea, "the best?"', 1],
    ['我喝茶吗？', 1],
    ['I like red tea.', 0],
    ['The page is https://tea.example/?q=red now.', 0],
    ['', 0],
    ['I like red tea. Do you not?', 11 / 26],
    ['Do you like tea?\nRed tea is mine', 16 / 31],
  ])('reads %j as questions to a share of %d', (content, share) => {
    expect(measure(content)).toBeCloseTo(share, 10);
  });

  it('counts the whole of a text of several slices', () => {
    expect(measure(`${'I like it. '.repeat(1_000)}${'Do you? '.repeat(1_000)}`)).toBeCloseTo(7 / 17, 2);
  });

  it('reads the turn behind a fact, whose relevance the fact has', () => {
    const fact = createCandidate('fact', { kind: 'memory', content: 'Ana likes tea' });
    const turn = createCandidate('turn', { content: 'Do you like tea?' });
    expect(runAtOnce(createQuestionMeter('tea')({ candidate: fact, turn }))).toBe(1);
    expect(runAtOnce(createQuestionMeter('tea')({ candidate: fact, turn: null }))).toBe(0);
  });

  it('is 0 where the query is about what somebody asked', () => {
    expect(measure('Do you like tea?', 'What did Ana ask about tea?')).toBe(0);
    expect(measure('Do you like tea?', 'her questions about tea')).toBe(0);
    expect(measure('Do you like tea?', 'a task about tea')).toBe(1);
  });
});

describe('the score of a turn that asks', () => {
  const score = (asked?: number, question = DEFAULT_RECALL_WEIGHTS.question) =>
    scoreAnswer(createScored('a', 0.5), NOW, { ...DEFAULT_RECALL_WEIGHTS, importance: 0, relation: 0, question }, asked)
      .score;

  it('is multiplied by the factor, in proportion to what it asks', () => {
    expect(score(1)).toBeCloseTo(score() * 0.9, 12);
    expect(score(0.5)).toBeCloseTo(score() * 0.95, 12);
    expect(score(1, 1)).toBe(score());
  });

  it('puts it behind a statement that fits almost as well, but not behind what hardly fits', () => {
    const scored = [
      createScored('question', 0.6, { content: 'Do you like red tea?' }),
      createScored('statement', 0.58, { content: 'A boat on the moon.' }),
      createScored('other', 0.3, { content: 'Garden gates are green.' }),
    ];
    const select = (query: string) =>
      runAtOnce(
        selectAnswers(scored, {
          query,
          now: NOW,
          weights: DEFAULT_RECALL_WEIGHTS,
          threshold: 0,
          topK: 3,
          budgetTokens: 1_000,
          countTokens: (text) => text.length,
          reservedTokens: 0,
          leaveOutReplaced: false,
          renderText: renderAnswer,
        }),
      ).kept.map(({ candidate }) => candidate.id);
    expect(select('red tea')).toEqual(['statement', 'question', 'other']);
    expect(select('What did I ask about red tea?')).toEqual(['question', 'statement', 'other']);
  });
});
