import { MAX_SLICE_UNITS, type RecallCandidate, runAtOnce } from '@annals/domain';
import { fitToBudget, renderLines } from './fit-to-budget.js';

const AT = Date.UTC(2026, 4, 4);

function memory(id: string, content: string): RecallCandidate {
  return {
    kind: 'memory',
    id,
    scope: 'user',
    category: 'profile',
    type: 'semantic',
    content,
    importance: 3,
    confidence: 1,
    pinned: false,
    validFrom: AT,
    validTo: null,
    recordedAt: AT,
    saidAt: AT,
    cosine: null,
    lexical: 0,
    lexicalCeiling: 0,
    speaker: null,
    threadId: null,
    messageIds: [],
    superseded: 'no',
    supersededBy: null,
    relatedStrength: 0,
  };
}

const countTokens = (text: string) => text.split(' ').length;

describe('memories that were listed by category', () => {
  it('are served as lines, in order, as long as they fit', () => {
    const long = 'The user has told us where every chair of the house stands.';
    const lines = runAtOnce(
      renderLines([memory('a', 'Ana.'), memory('b', long), memory('c', 'Graz.'), memory('d', 'Vegan.')], countTokens),
    );
    expect(lines[0]).toMatchObject({ text: '[profile] Ana. (4 May 2026)', tokens: 5 });
    const { kept, dropped, tokens } = fitToBudget(lines, { topK: 2, budgetTokens: 12 });
    expect(kept.map(({ candidate }) => candidate.id)).toEqual(['a', 'c']);
    expect(dropped).toEqual([
      { id: 'b', kind: 'memory', why: 'budget' },
      { id: 'd', kind: 'memory', why: 'top_k' },
    ]);
    expect(tokens).toBe(10);
  });

  it('are kept in their order where they have to be, before any other', () => {
    const lines = runAtOnce(
      renderLines([memory('a', 'Ana.'), memory('b', 'Graz.'), memory('c', 'Vegan.')], countTokens),
    );
    const fit = (budgetTokens: number) =>
      fitToBudget(lines, { topK: Infinity, budgetTokens, certain: new Set([lines[1]!]) });
    expect(fit(10)).toMatchObject({ kept: [lines[0], lines[1]], dropped: [{ id: 'c', why: 'budget' }], tokens: 10 });
    expect(fit(9)).toMatchObject({ kept: [lines[1]], tokens: 5 });
  });

  it('leave the event loop free between slices', () => {
    const memories = Array.from({ length: 50 }, (_, index) => memory(`${index}`, 'word '.repeat(800)));
    const work = renderLines(memories, countTokens);
    let slices = 1;
    while (!work.next().done) slices += 1;
    expect(slices).toBeGreaterThanOrEqual((50 * 4_000) / MAX_SLICE_UNITS);
  });
});
