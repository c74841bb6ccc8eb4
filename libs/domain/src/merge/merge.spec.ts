import type { ExtractedItem } from '@annals/contracts';
import fc from 'fast-check';
import { hashContent } from '../hash/content-hash.js';
import { decideDuplicate } from './decide-duplicate.js';
import { mergeConfidence } from './merge-confidence.js';
import { mergeEqualItems } from './merge-equal-items.js';

const stored = {
  confidence: 0.6,
  emotionalContext: { joy: 0.2, mood: 'calm' },
  significance: { overall: 0.4, personal: 0.9 },
  relationshipDynamics: { trust: 'low', topics: ['a'] },
  rationale: 'Said once.',
};
const empty = { confidence: 0.6, emotionalContext: null, significance: null, relationshipDynamics: {}, rationale: ' ' };

describe('decideDuplicate', () => {
  it('inserts a statement that is not stored', () => {
    expect(decideDuplicate(undefined, stored)).toEqual({ action: 'insert', reason: 'unique_hash' });
  });

  it('updates the mutable fields and merges the confidence when it is strictly higher', () => {
    const incoming = {
      confidence: 0.8,
      emotionalContext: { joy: 0.7 },
      significance: { overall: 0.3, social: 0.5 },
      relationshipDynamics: { topics: ['b'], tone: 'warm' },
      rationale: '  Said twice. ',
    };
    expect(decideDuplicate(stored, incoming)).toEqual({
      action: 'update',
      reason: 'confidence_improved',
      fields: {
        confidence: 0.685714,
        emotionalContext: { joy: 0.7, mood: 'calm' },
        significance: { overall: 0.4, personal: 0.9, social: 0.5 },
        relationshipDynamics: { trust: 'low', topics: ['b'], tone: 'warm' },
        rationale: 'Said twice.',
      },
    });
  });

  it('retains stored fields that a more confident statement leaves out', () => {
    const decision = decideDuplicate(stored, { confidence: 0.9 });
    const { confidence: _replaced, ...context } = stored;
    expect(decision).toMatchObject({ action: 'update', fields: context });
  });

  it('fills only empty fields when the confidence is not higher, and leaves the confidence', () => {
    const { confidence: _ignored, ...context } = stored;
    expect(decideDuplicate(empty, { ...stored, confidence: 0.6 })).toEqual({
      action: 'fill',
      reason: 'empty_fields_filled',
      fields: context,
    });
    expect(decideDuplicate({ ...stored, rationale: null }, { ...stored, confidence: 0.1 })).toMatchObject({
      action: 'fill',
      fields: { rationale: 'Said once.' },
    });
  });

  it('skips when there is nothing better', () => {
    expect(decideDuplicate(stored, stored)).toEqual({ action: 'skip', reason: 'equal_confidence' });
    expect(decideDuplicate(stored, { ...stored, confidence: 0.2 })).toEqual({
      action: 'skip',
      reason: 'lower_confidence',
    });
    expect(decideDuplicate(empty, empty)).toEqual({ action: 'skip', reason: 'equal_confidence' });
  });

  it('treats a missing confidence as 0.5 and compares stored values in 6 decimals', () => {
    expect(decideDuplicate({ confidence: 0.5 }, {}).action).toBe('skip');
    expect(decideDuplicate({ confidence: 0.49 }, {}).action).toBe('update');
    expect(decideDuplicate({ confidence: Math.fround(0.8) }, { confidence: 0.8 }).action).toBe('skip');
  });

  it('is idempotent: the same statement fills nothing twice', () => {
    const input = fc.record({
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      emotionalContext: fc.option(fc.dictionary(fc.string(), fc.double({ noNaN: true }))),
      rationale: fc.option(fc.string()),
    });
    fc.assert(
      fc.property(input, input, (existing, incoming) => {
        const decision = decideDuplicate(existing, incoming);
        if (decision.action !== 'fill') return;
        expect(decideDuplicate({ ...existing, ...decision.fields }, incoming).action).toBe('skip');
      }),
    );
  });
});

function makeItem(content: string, more: Partial<ExtractedItem> = {}): ExtractedItem {
  return {
    content,
    category: 'event',
    type: 'semantic',
    importance: 2,
    evidence: [{ message_id: 'm1', quote: content }],
    ...more,
  };
}

describe('mergeEqualItems', () => {
  it('merges equal items at the index of the first, with the spelling of the more confident one', () => {
    const merged = mergeEqualItems([
      makeItem('Likes tea', { confidence: 0.6, significance: { overall: 0.2 }, rationale: 'old' }),
      makeItem('Likes coffee'),
      makeItem('likes TEA!', {
        confidence: 0.8,
        importance: 4,
        category: 'preferences',
        significance: { overall: 0.1, x: 1 },
      }),
    ]);
    expect(merged).toEqual([
      {
        content: 'likes TEA!',
        category: 'preferences',
        type: 'semantic',
        importance: 4,
        confidence: 0.685714,
        evidence: [
          { message_id: 'm1', quote: 'Likes tea' },
          { message_id: 'm1', quote: 'likes TEA!' },
        ],
        significance: { overall: 0.2, x: 1 },
        rationale: 'old',
      },
      makeItem('Likes coffee'),
    ]);
  });

  it('replaces the content at equal confidence and retains it against lower confidence', () => {
    const [equal] = mergeEqualItems([makeItem('A b', { confidence: 0.5 }), makeItem('a B')]);
    expect(equal?.content).toBe('a B');
    const [lower] = mergeEqualItems([makeItem('A b', { confidence: 0.7 }), makeItem('a B')]);
    expect(lower?.content).toBe('A b');
  });

  it('replaces arrays of relationship dynamics only with higher confidence', () => {
    const base = makeItem('a', { confidence: 0.6, relationshipDynamics: { topics: ['x'], tone: 'cold' } });
    const dynamics = { topics: ['y'], tone: 'warm' };
    const merge = (confidence: number) =>
      mergeEqualItems([base, makeItem('a', { confidence, relationshipDynamics: dynamics })])[0]?.relationshipDynamics;
    expect(merge(0.5)).toEqual({ topics: ['x'], tone: 'warm' });
    expect(merge(0.9)).toEqual({ topics: ['y'], tone: 'warm' });
  });

  it('adds nothing of a quarantined item to a grounded one', () => {
    const good = makeItem('a', { confidence: 0.4 });
    const held = makeItem('A', { confidence: 0.9, quarantineReason: 'quote_not_found' });
    expect(mergeEqualItems([good, held])).toEqual([good]);
    expect(mergeEqualItems([held, good])).toEqual([good]);
    expect(mergeEqualItems([held, held])[0]?.quarantineReason).toBe('quote_not_found');
  });

  it('retains the earlier beginning and remaps relations to the new indexes', () => {
    const relation = { to_index: 2, relation_type: 'because', strength: 0.5 };
    const [first, second] = mergeEqualItems([
      makeItem('a', { valid_from: '2024-01-02T00:00:00Z' }),
      makeItem('A', { valid_from: '2024-01-02T00:00:00+03:00', relations: [relation] }),
      makeItem('b', { relations: [{ ...relation, to_index: 1 }] }),
    ]);
    expect(first).toMatchObject({ valid_from: '2024-01-02T00:00:00+03:00', relations: [{ ...relation, to_index: 1 }] });
    expect(second).toMatchObject({ content: 'b', relations: [{ ...relation, to_index: 0 }] });
  });

  it('returns one item per hash, and is idempotent', () => {
    const item = fc
      .record({ content: fc.constantFrom('a', 'A', 'b!', 'b', 'c'), confidence: fc.constantFrom(0.2, 0.5, 0.9) })
      .map(({ content, confidence }) => makeItem(content, { confidence }));
    fc.assert(
      fc.property(fc.array(item), (items) => {
        const merged = mergeEqualItems(items);
        expect(merged.map(({ content }) => hashContent(content))).toEqual([
          ...new Set(items.map(({ content }) => hashContent(content))),
        ]);
        expect(mergeEqualItems(merged)).toEqual(merged);
      }),
    );
  });

  it('merges confidences pairwise from left to right', () => {
    const [merged] = mergeEqualItems([0.8, 0.6, 0.7].map((confidence) => makeItem('a', { confidence })));
    expect(merged?.confidence).toBe(mergeConfidence(mergeConfidence(0.8, 0.6), 0.7));
    expect(merged?.confidence).toBe(0.692783);
  });

  // The rules of docs/reference/writes.md#merging-descriptive-fields, row by row: [confidence of base, of provider, the
  // result].
  it.each([
    ['content, provider more confident', 0.6, 0.8, { content: 'LIKES TEA' }],
    ['content, equally confident', 0.6, 0.6, { content: 'LIKES TEA' }],
    ['content, base more confident', 0.8, 0.6, { content: 'likes tea' }],
    ['emotionalContext, provider more confident', 0.6, 0.8, { emotionalContext: { joy: 0.9, calm: 0.1, awe: 0.3 } }],
    ['emotionalContext, base more confident', 0.8, 0.6, { emotionalContext: { joy: 0.2, calm: 0.1, awe: 0.3 } }],
    [
      'relationshipDynamics, provider more confident',
      0.6,
      0.8,
      { relationshipDynamics: { tone: 'warm', with: ['Bo'], since: 1 } },
    ],
    [
      'relationshipDynamics, base more confident',
      0.8,
      0.6,
      { relationshipDynamics: { tone: 'warm', with: ['Al'], since: 1 } },
    ],
    ['significance', 0.8, 0.6, { significance: { overall: 0.7, social: 0.4, work: 0.5 } }],
    ['rationale', 0.8, 0.6, { rationale: 'Said again.' }],
    ['confidence', 0.8, 0.6, { confidence: 0.685714 }],
    ['confidence, base without', undefined, 0.7, { confidence: 0.583333 }],
    ['confidence, both without', undefined, undefined, { confidence: 0.5 }],
  ])('follows the table of rules: %s', (_row, baseConfidence, providerConfidence, expected) => {
    const base = makeItem('likes tea', {
      emotionalContext: { joy: 0.2, calm: 0.1 },
      relationshipDynamics: { tone: 'cold', with: ['Al'] },
      significance: { overall: 0.3, social: 0.4 },
      rationale: 'Said once.',
    });
    const provider = makeItem('LIKES TEA', {
      emotionalContext: { joy: 0.9, awe: 0.3 },
      relationshipDynamics: { tone: 'warm', with: ['Bo'], since: 1 },
      significance: { overall: 0.7, work: 0.5 },
      rationale: ' Said again. ',
    });
    const merged = mergeEqualItems([
      { ...base, confidence: baseConfidence },
      { ...provider, confidence: providerConfidence },
    ]);
    expect(merged).toEqual([expect.objectContaining(expected)]);
  });
});
