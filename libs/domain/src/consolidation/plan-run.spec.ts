import { createMemory } from './consolidation-memory.fixture.js';
import type { PlannedPair } from './plan-pairs.js';
import { decideByWords, planRun } from './plan-run.js';

const short = createMemory('a', { content: 'The user works at Siemens.', importance: 4, validFrom: 1 });
const long = createMemory('b', { content: 'The user works at Siemens as a team lead.', revision: 3 });
const other = createMemory('c', { content: 'The user works at Siemens in Erlangen.' });
const pairOf = (a = short, b = long, score = 0.7): PlannedPair => ({
  a,
  b,
  score,
  reason: 'similar',
  fingerprint: `${a.id}${b.id}`,
});
const merged = {
  content: 'The user works at Siemens in Erlangen as a team lead.',
  verdict: 'merge',
  by: 'model',
} as const;

describe('planRun', () => {
  it('merges into the memory that contains the other', () => {
    expect(planRun([decideByWords(pairOf())], [])).toEqual({
      changes: [
        {
          kind: 'merge',
          parts: [
            { memoryId: 'a', revision: 1 },
            { memoryId: 'b', revision: 3 },
          ],
          content: long.content,
          kept: 'b',
          importance: 4,
          validFrom: 1,
          reason: 'words',
        },
      ],
      refused: [],
      fingerprints: ['ab'],
    });
  });

  it("writes a model's text as a new memory", () => {
    const { changes } = planRun([{ pair: pairOf(long, other), ...merged }], []);
    expect(changes).toMatchObject([{ kind: 'merge', kept: null, content: merged.content, reason: 'model' }]);
  });

  it('merges a memory once, and leaves the fingerprints of its other pairs for the next run', () => {
    const plan = planRun([decideByWords(pairOf()), { pair: pairOf(long, other), ...merged }], []);
    expect(plan.changes).toHaveLength(1);
    expect(plan.fingerprints).toEqual(['ab']);
  });

  it('does not write a text that lost something, says why, and does not try again', () => {
    const lossy = { ...merged, content: 'The user works at Siemens.' };
    const plan = planRun([{ pair: pairOf(long, other), ...lossy }], []);
    expect(plan.changes).toEqual([]);
    const [refused] = plan.refused;
    expect(refused!.content).toBe(lossy.content);
    expect(refused!.problems.map(({ kind }) => kind)).toEqual(['lost', 'lost_words', 'changed']);
    expect(plan.fingerprints).toEqual(['bc']);
  });

  it('links what is related, and remembers what is not', () => {
    const plan = planRun(
      [
        { pair: pairOf(short, long, 1.0000001), by: 'model', verdict: 'link' },
        { pair: pairOf(short, other), by: 'model', verdict: 'apart' },
      ],
      [],
    );
    expect(plan.changes).toMatchObject([{ kind: 'link', strength: 1, parts: [{ memoryId: 'a' }, { memoryId: 'b' }] }]);
    expect(plan.fingerprints).toEqual(['ab', 'ac']);
  });

  it('re-ranks what it did not merge', () => {
    const rerank = (memoryId: string) => ({ memoryId, revision: 1, from: 2, to: 3, reason: 'retrieved' }) as const;
    const { changes } = planRun([decideByWords(pairOf())], [rerank('a'), rerank('c')]);
    expect(changes.slice(1)).toEqual([{ kind: 'rerank', ...rerank('c') }]);
  });
});
