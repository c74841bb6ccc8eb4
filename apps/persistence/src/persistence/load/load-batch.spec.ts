import type { ExtractedItem } from '@annals/contracts';
import { withoutHidden } from './load-batch.js';

const item = (content: string, messageIds: readonly string[], to_index?: number): ExtractedItem => ({
  content,
  category: 'profile',
  type: 'semantic',
  importance: 3,
  confidence: 0.8,
  evidence: messageIds.map((message_id) => ({ message_id, quote: content })),
  ...(to_index === undefined ? {} : { relations: [{ to_index, relation_type: 'related_to', strength: 0.5 }] }),
});

describe('withoutHidden', () => {
  it('leaves out what only hidden messages say, and relations to it', () => {
    const items = [item('hidden', ['h']), item('both', ['h', 'm'], 2), item('said', ['m'], 0), item('no evidence', [])];
    expect(withoutHidden(items, new Set(['h']))).toEqual([
      item('both', ['h', 'm'], 1),
      { ...item('said', ['m']), relations: [] },
      item('no evidence', []),
    ]);
  });

  it('changes nothing without hidden messages', () => {
    const items = [item('said', ['m'], 1), item('also said', ['m'])];
    expect(withoutHidden(items, new Set())).toEqual(items);
  });
});
