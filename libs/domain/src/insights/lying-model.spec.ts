import { SeededRng } from '../determinism/rng.js';
import { checkAppMemory } from '../app-memories/check-app-memory.js';
import { checkCompaction } from '../app-memories/plan-compaction.js';
import { checkInsights } from './check-insight.js';
import type { ShownEvidence } from './types.js';

/** What was said, an insight that rests on it, and one that changes a number, a name, a date or a negation. */
const ANSWERS: readonly (readonly [said: string, truth: string, lie: string])[] = [
  [
    'I asked 3 times about the budget.',
    'The user is impatient after asking 3 times about the budget.',
    'The user is impatient after asking 4 times about the budget.',
  ],
  [
    'The train costs 49 euros, that is a bargain.',
    'The user enjoys a bargain of 49 euros.',
    'The user enjoys a bargain of 59 euros.',
  ],
  ['My thesis has forty pages.', 'The user is proud of 40 pages.', 'The user is proud of 400 pages.'],
  ['We have two dogs and 3 cats.', 'The user adores the 3 cats.', 'The user adores the 5 cats.'],
  ['Lena helped me a lot.', 'The user is grateful to Lena.', 'The user is grateful to Tom.'],
  ['Omar forgot the backup.', 'The user is annoyed with Omar.', 'The user is annoyed with Priya.'],
  ['I moved to Porto.', 'The user feels at home in Porto.', 'The user feels at home in Madrid.'],
  ['I work at Siemens.', 'The user is loyal to Siemens.', 'The user is loyal to Bosch.'],
  ['The exam is on 9 June.', 'The user dreads the exam on 9 June.', 'The user dreads the exam on 8 June.'],
  ['It is due in March 2027.', 'The user feels pressed by March 2027.', 'The user feels pressed by April 2027.'],
  ['I hate Mondays.', 'The user dreads Mondays.', 'The user dreads Tuesdays.'],
  ['We met in 2019.', 'The user is fond of 2019.', 'The user is fond of 2018.'],
  ['I trust the team.', 'The user trusts the team.', 'The user does not trust the team.'],
  ['I like surprises.', 'The user enjoys surprises.', 'The user never enjoys surprises.'],
  ['I do not mind delays.', 'The user does not mind delays.', 'The user minds delays.'],
  ['I never deploy on Fridays.', 'The user never deploys on Fridays.', 'The user likes to deploy on Fridays.'],
  ['Lena does not answer.', 'The user is hurt that Lena does not answer.', 'The user is hurt that Lena does not pay.'],
];
const SAID_AT = Date.UTC(2026, 4, 4, 12);

const show = (said: string): ShownEvidence[] => [
  { label: 'm1', kind: 'message', id: 'a', content: said, saidAt: SAID_AT, messageId: 'a' },
];
const judge = (said: string, summary: string) =>
  checkInsights([{ summary, tags: [], confidence: 0.7, evidence: ['m1'] }], { shown: show(said), names: ['Ana'] })[0]!
    .outcome;

const REST = 'The user wants a short answer.';
const memory = (id: string, content: string) => ({ id, content, createdAt: SAID_AT, updatedAt: SAID_AT });

describe('a model that lies', () => {
  it.each(ANSWERS)('about “%s” gets the truth through, and no lie', (said, truth, lie) => {
    expect([judge(said, truth), judge(said, lie)]).toEqual(['kept', 'refused']);
  });

  it.each(ANSWERS)('in an app memory about “%s” states nothing that was not said', (said, truth, lie) => {
    const sources = [said, 'A short answer, please.'].map((content) => ({ content, saidAt: SAID_AT }));
    expect(checkAppMemory(`${truth} ${REST}`, sources)).toEqual([]);
    expect(checkAppMemory(`${lie} ${REST}`, sources)).toHaveLength(1);
  });

  it.each(ANSWERS)('in a merge about “%s” changes nothing', (_said, truth, lie) => {
    const input = { current: [memory('a', truth)], fresh: memory('n', REST) };
    const merge = (newContent: string) =>
      checkCompaction({ action: 'edit', targetId: 'a', newContent, reason: '' }, input);
    expect(merge(`${truth} ${REST}`)).toBeNull();
    expect(merge(`${lie} ${REST}`)).toMatch(/facts$/u);
  });

  it('in a seeded fifth of its answers gets none of these stored', () => {
    const rng = new SeededRng(20261123);
    const answers = Array.from({ length: 400 }, () => {
      const [said, truth, lie] = ANSWERS[Math.floor(rng.nextFloat() * ANSWERS.length)]!;
      const isLie = rng.nextFloat() < 0.2;
      return { said, isLie, summary: isLie ? lie : truth };
    });
    const stored = answers.filter(({ said, summary }) => judge(said, summary) === 'kept');
    expect(stored).toEqual(answers.filter(({ isLie }) => !isLie));
    expect(stored.length).toBeLessThan(answers.length);
  });
});
