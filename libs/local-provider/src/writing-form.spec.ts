import type { WritingRule } from '@annals/contracts';
import { checkWriting } from '@annals/domain';
import { extractMemories } from './extract-memories.fixture.js';
import { EXTRACTION_CASES } from './local-corpus.fixture.js';
import { MADE_UP_TURNS } from './made-up-turns.fixture.js';

const MONDAY = Date.UTC(2026, 0, 5, 9);
/**
 * So many of new items pass the checks as they come
 * (docs/reference/writing-constraints.md#first-pass-rate-of-95-percent).
 */
const LEAST_SHARE = 0.95;

/** Each sentence by itself: an answer holds two hundred memories at most. */
function extractAll(said: readonly string[], actorId: string | null) {
  return said.flatMap((content) => extractMemories([{ id: 'm1', role: 'user', actorId, content, createdAt: MONDAY }]));
}

describe('the form of what the local rules write', () => {
  const said = [...MADE_UP_TURNS, ...EXTRACTION_CASES.map(([sentence]) => sentence)];

  it.each(['Ana', null])('passes the writing checks at first, told of %s', (actorId) => {
    const memories = extractAll(said, actorId);
    expect(memories.length).toBeGreaterThan(150);
    const broken = memories.flatMap(({ content, type }): [string, WritingRule[]][] => {
      const rules = checkWriting({ content, type });
      return rules.length === 0 ? [] : [[content, rules]];
    });
    expect({ share: 1 - broken.length / memories.length >= LEAST_SHARE, broken }).toMatchObject({ share: true });
  });

  it('is no matter of course: what people say themselves passes seldom', () => {
    const passing = said.filter((content) => checkWriting({ content, type: 'semantic' }).length === 0);
    expect(passing.length / said.length).toBeLessThan(0.2);
  });
});
