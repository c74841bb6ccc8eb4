import type { ExtractedItem } from '@annals/contracts';
import { DEFAULT_CATEGORY_CONFIG } from '@annals/domain';
import { assignCategories } from './assign-categories.js';

const item = (category: string, more: Partial<ExtractedItem> = {}): ExtractedItem => ({
  content: `Something about ${category}.`,
  category,
  type: 'semantic',
  importance: 3,
  evidence: [],
  ...more,
});
const only = (...names: string[]) => ({
  categories: names.map((name) => ({ name, context: 'all' as const })),
  allowlists: {},
});
const always = () => true;

describe('assignCategories', () => {
  it('changes nothing when every category is configured', () => {
    const items = [item('profile'), item('activity'), item('procedural', { type: 'procedural' })];
    const filed = assignCategories(items, DEFAULT_CATEGORY_CONFIG, always);
    expect(filed).toEqual({ items, report: null });
    expect(filed.items).toBe(items);
  });

  it('moves memories of a missing category to the nearest configured one', () => {
    const { items, report } = assignCategories([item('constraints'), item('goals')], only('profile', 'tasks'), always);
    expect(items.map(({ category }) => category)).toEqual(['profile', 'tasks']);
    expect(report).toEqual({ moved: 2, dropped: {} });
  });

  it('drops memories without a nearest category, reports their category, and remaps relations', () => {
    const related = item('event', { relations: [{ to_index: 1, relation_type: 'part_of', strength: 1 }] });
    const { items, report } = assignCategories(
      [item('relationships'), item('event'), related, item('procedural', { type: 'procedural' })],
      only('event', 'pets'),
      always,
    );
    expect(items.map(({ category, relations }) => [category, relations?.[0]?.to_index])).toEqual([
      ['event', undefined],
      ['event', 0],
    ]);
    expect(report).toEqual({ moved: 0, dropped: { relationships: 1, procedural: 1 } });
  });

  it('does not change the memories of a model', () => {
    const items = [item('weather'), item('procedural', { type: 'procedural' })];
    const { items: kept, report } = assignCategories(items, only('pets'), ({ type }) => type === 'procedural');
    expect(kept.map(({ category }) => category)).toEqual(['weather']);
    expect(report).toEqual({ moved: 0, dropped: { procedural: 1 } });
  });
});
