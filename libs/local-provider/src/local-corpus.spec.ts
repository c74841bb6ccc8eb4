import type { ExtractedMemory } from '@annals/contracts';
import { DEFAULT_CATEGORY_CONFIG, listCategoryNames } from '@annals/domain';
import { extractMemories } from './extract-memories.fixture.js';
import { EXTRACTION_CASES, NO_MEMORY_SENTENCES } from './local-corpus.fixture.js';
import { CLAUSE_RULES } from './rules/match-rule.js';

const MONDAY = Date.UTC(2023, 4, 8, 13, 56);

function listen(said: string): string[] {
  return extractMemories([{ id: 'm1', role: 'user', actorId: 'Ana', content: said, createdAt: MONDAY }]).map(show);
}

function show({ category, content, valid_from }: ExtractedMemory): string {
  return `${category}: ${content}${valid_from ? ` @${valid_from.slice(0, 10)}` : ''}`;
}

describe('The local rules', () => {
  it.each(EXTRACTION_CASES.map(([said, ...memories]) => [said, memories] as const))('keep: %s', (said, memories) => {
    expect(listen(said)).toEqual(memories);
  });

  it.each(NO_MEMORY_SENTENCES)('take nothing from: %s', (said) => {
    expect(listen(said)).toEqual([]);
  });

  it('file under default categories only', () => {
    const names = new Set(listCategoryNames(DEFAULT_CATEGORY_CONFIG));
    expect(CLAUSE_RULES.filter(({ category }) => !names.has(category))).toEqual([]);
  });

  it('have a name each', () => {
    const names = CLAUSE_RULES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
