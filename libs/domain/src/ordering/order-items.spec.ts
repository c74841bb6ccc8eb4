import type { ExtractedItem } from '@annals/contracts';
import fc from 'fast-check';
import { orderItems } from './order-items.js';

function makeItem(content: string, messageIds: string[], more: Partial<ExtractedItem> = {}): ExtractedItem {
  const evidence = messageIds.map((message_id) => ({ message_id, quote: content }));
  return { content, category: 'event', type: 'semantic', importance: 2, evidence, ...more };
}

const MESSAGES = ['m1', 'm2', 'm3'];
const item = fc
  .record({
    content: fc.constantFrom('Alpha', 'alpha!', 'beta', 'Gamma', '\u{1f600}', '\uff5e'),
    ids: fc.array(fc.constantFrom(...MESSAGES, 'unknown'), { maxLength: 2 }),
    importance: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ content, ids, importance }) => makeItem(content, ids, { importance }));

describe('orderItems', () => {
  it('orders by the earliest cited message, then by normalised content', () => {
    const items = [
      makeItem('zeta', ['m2']),
      makeItem('beta.', ['m1']),
      makeItem('ALPHA', ['m3', 'm1']),
      makeItem('x', []),
    ];
    expect(orderItems(items, MESSAGES).map(({ content }) => content)).toEqual(['ALPHA', 'beta.', 'zeta', 'x']);
  });

  it('compares by code point, not by locale or UTF-16 unit', () => {
    const items = ['\u{1f600}', '\ue000', '\u00e9', 'z'].map((content) => makeItem(content, ['m1']));
    expect(orderItems(items, MESSAGES).map(({ content }) => content)).toEqual(['z', '\u00e9', '\ue000', '\u{1f600}']);
  });

  it('returns the same order for every input order', () => {
    const shuffled = fc
      .array(item, { maxLength: 8 })
      .chain((items) => fc.tuple(fc.constant(items), fc.shuffledSubarray(items, { minLength: items.length })));
    fc.assert(
      fc.property(shuffled, ([items, other]) => {
        expect(orderItems(other, MESSAGES)).toEqual(orderItems(items, MESSAGES));
      }),
    );
  });

  it('does not change sorted items', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 8 }), (items) => {
        const ordered = orderItems(items, MESSAGES);
        expect(orderItems(ordered, MESSAGES)).toEqual(ordered);
      }),
    );
  });

  it('remaps relations to the new indexes and drops those without a target', () => {
    const relation = { relation_type: 'related_to', strength: 0.5 };
    const items = [
      makeItem('second', ['m2'], {
        relations: [
          { ...relation, to_index: 1 },
          { ...relation, to_index: 9 },
          { ...relation, to_index: 0 },
        ],
      }),
      makeItem('first', ['m1'], { relations: [{ ...relation, to_index: 0 }] }),
    ];
    const [first, second] = orderItems(items, MESSAGES);
    expect(first).toMatchObject({ content: 'first', relations: [{ ...relation, to_index: 1 }] });
    expect(second).toMatchObject({ content: 'second', relations: [{ ...relation, to_index: 0 }] });
  });
});
