import type { ExtractedItem } from '@annals/contracts';
import { splitItems } from './split-items.js';

const item = (content: string, fields: Partial<ExtractedItem> = {}): ExtractedItem => ({
  content,
  category: 'profile',
  type: 'semantic',
  importance: 3,
  confidence: 0.8,
  evidence: [{ message_id: 'm1', quote: 'I work at Zeiss and play chess' }],
  ...fields,
});
const relationTo = (to_index: number) => ({ relations: [{ to_index, relation_type: 'related_to', strength: 0.8 }] });

describe('splitItems', () => {
  it('divides a compound statement into two with the same evidence', () => {
    expect(splitItems([item('Ana works at Zeiss and plays chess.')])).toEqual([
      item('Ana works at Zeiss.'),
      item('Ana plays chess.'),
    ]);
  });

  it('leaves other statements, and what happened once, as they are', () => {
    const items = [item('Ana works at Zeiss.'), item('Ana works at Zeiss and plays chess.', { type: 'episodic' })];
    expect(splitItems(items)).toEqual(items);
  });

  it('leads relations to the place of their target', () => {
    const items = [
      item('Ana works at Zeiss and plays chess.'),
      item('Ana lives in Jena.'),
      item('Bo is ill.', relationTo(1)),
    ];
    expect(splitItems(items)[3]).toEqual(item('Bo is ill.', relationTo(2)));
  });
});
