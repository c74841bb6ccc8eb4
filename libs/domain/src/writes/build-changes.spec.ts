import type { ExtractedItem } from '@annals/contracts';
import fc from 'fast-check';
import { buildChanges, type BatchFindings, splitCost } from './build-changes.js';

const item = (more: Partial<ExtractedItem> = {}): ExtractedItem => ({
  content: 'The user likes tea.',
  category: 'preferences',
  type: 'semantic',
  importance: 3,
  confidence: 0.1234567,
  evidence: [{ message_id: 'm1', quote: 'I like tea' }],
  ...more,
});
const findings = (items: readonly ExtractedItem[]): BatchFindings => ({
  provider: 'local',
  model: 'rules-1',
  costMicroUsd: 0,
  items,
  saidAt: new Map([
    ['m1', 1_000],
    ['m2', 2_000],
  ]),
  acceptedAt: 9_000,
});
const memoryOf = (only: ExtractedItem) => {
  const [change] = buildChanges(findings([only])).changes;
  if (change?.kind !== 'observe') throw new Error('An extracted item is an observation.');
  return change.memory;
};

describe('buildChanges', () => {
  it('creates one observation per item, in order', () => {
    const { changes } = buildChanges(findings([item({ content: 'A.' }), item({ content: 'B.' })]));
    expect(changes.map((change) => change.kind === 'observe' && change.memory.content)).toEqual(['A.', 'B.']);
  });

  it('carries provenance, source and six decimals of confidence', () => {
    expect(memoryOf(item())).toMatchObject({
      origin: 'extraction',
      provider: 'local',
      model: 'rules-1',
      confidence: 0.123457,
      sources: [{ messageId: 'm1', quote: 'I like tea' }],
      quarantineReason: null,
      pinned: false,
    });
  });

  it('sets a missing confidence to 0.5', () => {
    expect(memoryOf(item({ confidence: undefined })).confidence).toBe(0.5);
  });

  it('sets valid_from to the time of the first message, and saidAt to that of the last', () => {
    const evidence = ['m2', 'm1'].map((message_id) => ({ message_id, quote: 'tea' }));
    expect(memoryOf(item({ evidence }))).toMatchObject({ validFrom: 1_000, validTo: null, saidAt: 2_000 });
  });

  it('uses the item’s own valid_from', () => {
    expect(memoryOf(item({ valid_from: '2020-01-01T00:00:00Z' })).validFrom).toBe(Date.UTC(2020, 0, 1));
  });

  it('sets valid_from no later than valid_to', () => {
    const { validFrom, validTo } = memoryOf(item({ valid_to: '1970-01-01T00:00:00.500Z' }));
    expect([validFrom, validTo]).toEqual([500, 500]);
  });

  it('ignores evidence from messages that are not in the batch', () => {
    const quarantined = item({ evidence: [{ message_id: 'm9', quote: 'x' }], quarantineReason: 'unknown_message' });
    expect(memoryOf(quarantined)).toMatchObject({ sources: [], saidAt: 9_000, quarantineReason: 'unknown_message' });
  });

  it('turns relations into links between indexes', () => {
    const related = item({ relations: [{ to_index: 1, relation_type: 'caused_by', strength: 0.4 }] });
    expect(buildChanges(findings([related, item({ content: 'B.' })])).links).toEqual([
      { from: 0, to: 1, relationType: 'caused_by', strength: 0.4 },
    ]);
  });

  it('never uses a model’s own text as type of a link, since it could not be erased from the history', () => {
    const related = item({ relations: [{ to_index: 1, relation_type: 'lives with Eva', strength: 0.4 }] });
    expect(buildChanges(findings([related, item({ content: 'B.' })])).links).toEqual([
      { from: 0, to: 1, relationType: 'related_to', strength: 0.4 },
    ]);
  });
});

describe('splitCost', () => {
  it('returns whole parts that add up to the total and differ by at most one', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 200 }), (total, parts) => {
        const costs = splitCost(total, parts);
        expect(costs.reduce((sum, cost) => sum + cost, 0)).toBe(total);
        expect(Math.max(...costs) - Math.min(...costs)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('returns no parts for no items', () => {
    expect(splitCost(10, 0)).toEqual([]);
  });
});
