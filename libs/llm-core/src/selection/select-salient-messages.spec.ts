import fc from 'fast-check';
import { DEFAULT_SALIENCE_CONFIG } from './salience-config.js';
import type { SalienceConfig } from './salience-config.js';
import { selectSalientMessages } from './select-salient-messages.js';

interface Sample {
  content?: string;
  delta?: number;
  tokens?: number;
}

function inputOf(samples: readonly Sample[]) {
  const ids = samples.map((_, index) => `m${index}`);
  return {
    messages: samples.map(({ content = 'A calm fact.' }, index) => ({
      id: ids[index]!,
      role: 'user' as const,
      actorId: null,
      content,
      createdAt: index,
    })),
    analysis: {
      deltas: new Map(
        samples.map(({ delta = 0 }, index) => [ids[index]!, { magnitude: delta, direction: 'rise' as const }]),
      ),
      tokens: new Map(samples.map(({ tokens = 100 }, index) => [ids[index]!, tokens])),
    },
  };
}

const CONFIG: SalienceConfig = { ...DEFAULT_SALIENCE_CONFIG, topK: 2, minMessages: 1, maxTokens: 1_000 };
const calm = (count: number, tokens = 100): Sample[] => Array.from({ length: count }, () => ({ tokens }));

describe('selectSalientMessages', () => {
  it('selects all messages if they fit, whatever their salience (decision record 0011)', () => {
    const selection = selectSalientMessages(inputOf(calm(9)), CONFIG);
    expect(selection).toMatchObject({ prunedIds: [], prunedCount: 0, estimatedTokens: 900 });
    expect(selection.selectedIds).toHaveLength(9);
  });

  it('selects the most salient messages with their neighbours if not all fit', () => {
    const samples = calm(20);
    samples[5] = { delta: 1, content: 'I love it' };
    samples[12] = { delta: 0.9, content: 'I hate it' };
    const selection = selectSalientMessages(inputOf(samples), CONFIG);
    expect(selection.selectedIds).toEqual(['m4', 'm5', 'm6', 'm11', 'm12', 'm13']);
    expect(selection.prunedCount).toBe(14);
    expect(selection.prunedIds).not.toContain('m5');
    expect(selection.scores[1]).toEqual({ id: 'm5', score: expect.closeTo(0.8, 12) });
  });

  it('adds a common neighbour of two messages once', () => {
    const samples = calm(20);
    samples[5] = { delta: 1 };
    samples[7] = { delta: 1 };
    expect(selectSalientMessages(inputOf(samples), CONFIG).selectedIds).toEqual(['m4', 'm5', 'm6', 'm7', 'm8']);
  });

  it('prunes the least salient messages until the rest fits 90 % of maxTokens', () => {
    const samples = calm(20, 300);
    samples[5] = { delta: 1, tokens: 300 };
    samples[12] = { delta: 0.5, tokens: 300 };
    samples[13] = { content: 'good', tokens: 300 };
    const selection = selectSalientMessages(inputOf(samples), CONFIG);
    expect(selection.selectedIds).toEqual(['m5', 'm12', 'm13']);
    expect(selection.estimatedTokens).toBe(900);
  });

  it('selects at least minMessages, even above the cap', () => {
    const selection = selectSalientMessages(inputOf(calm(20, 5_000)), { ...CONFIG, topK: 24, minMessages: 5 });
    expect(selection.selectedIds).toHaveLength(5);
    expect(selection.estimatedTokens).toBe(25_000);
  });

  it('prefers the earlier message of equal scores', () => {
    const samples = calm(20, 300);
    const { selectedIds } = selectSalientMessages(inputOf(samples), { ...CONFIG, topK: 20 });
    expect(selectedIds).toEqual(['m0', 'm1', 'm2']);
  });

  it('accepts an empty conversation', () => {
    expect(selectSalientMessages(inputOf([]))).toEqual({
      selectedIds: [],
      prunedIds: [],
      prunedCount: 0,
      estimatedTokens: 0,
      scores: [],
    });
  });

  it('rejects a message that was not analysed', () => {
    const { messages } = inputOf(calm(1));
    expect(() => selectSalientMessages({ messages, analysis: { deltas: new Map(), tokens: new Map() } })).toThrow(
      'not been analysed',
    );
  });

  it('respects its limits for any conversation', () => {
    const sample = fc.record({
      content: fc.constantFrom('I love it', 'fine', 'The door is green.'),
      delta: fc.double({ min: 0, max: 1, noNaN: true }),
      tokens: fc.nat({ max: 400 }),
    });
    const config = fc.record({
      topK: fc.integer({ min: 1, max: 30 }),
      minMessages: fc.integer({ min: 1, max: 10 }),
      maxTokens: fc.integer({ min: 1, max: 5_000 }),
    });
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 60 }), config, (samples, limits) => {
        const input = inputOf(samples);
        const settings = { ...DEFAULT_SALIENCE_CONFIG, ...limits };
        const selection = selectSalientMessages(input, settings);
        const { selectedIds, prunedIds, estimatedTokens } = selection;
        const ids = input.messages.map(({ id }) => id);
        const cap = settings.maxTokens * 0.9;
        const total = samples.reduce((sum, { tokens }) => sum + tokens, 0);

        expect(ids.filter((id) => selectedIds.includes(id))).toEqual(selectedIds);
        expect(ids.filter((id) => !selectedIds.includes(id))).toEqual(prunedIds);
        expect(estimatedTokens <= cap || selectedIds.length <= settings.minMessages).toBe(true);
        expect(selectedIds.length).toBeLessThanOrEqual(total <= cap ? ids.length : settings.topK * 3);
        expect(selectSalientMessages(input, settings)).toEqual(selection);
      }),
    );
  });

  it('looks up the tokens of each of 5 000 messages only once', () => {
    const input = inputOf(calm(5_000));
    const lookUp = vi.spyOn(input.analysis.tokens, 'get');
    selectSalientMessages(input, { ...CONFIG, topK: 5_000 });
    expect(lookUp).toHaveBeenCalledTimes(5_000);
  });
});
