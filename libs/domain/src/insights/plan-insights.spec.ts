import { planInsights, type StoredInsight } from './plan-insights.js';
import type { CheckedInsight } from './types.js';

const stored = (id: string, summary: string, tone?: string): StoredInsight => ({
  id,
  summary,
  inferred: tone === undefined ? null : { field: 'tone', value: tone },
});
const fresh = (summary: string, tone?: string): CheckedInsight => ({
  summary,
  tags: [],
  importance: 2,
  confidence: 0.7,
  evidence: [],
  inferred: tone === undefined ? null : { field: 'tone', value: tone, confidence: 0.7, messageId: 'm', saidAt: 1 },
});

describe('planInsights', () => {
  it('ends what is repeated and what is contradicted, once each', () => {
    const current = [
      stored('a', 'The user prefers short answers.'),
      stored('b', 'The user enjoys chess.'),
      stored('c', 'The user is calm before flights.'),
    ];
    const newer = [
      fresh('Prefers concise answers.'),
      fresh('Feels nervous before flights.'),
      fresh('Prefers brief answers.'),
    ];
    expect(planInsights(current, newer)).toEqual({
      known: [],
      superseded: [
        { id: 'a', by: 0, reason: 'repeats' },
        { id: 'c', by: 1, reason: 'contradicts' },
      ],
    });
  });

  it('writes nothing for what a current insight says in the same words', () => {
    const current = [
      stored('a', 'The user prefers short answers.'),
      stored('b', 'Mentions rent, on 3 days in May 2026.'),
    ];
    const newer = [fresh('The user prefers short answers.'), fresh('Mentions rent, on 4 days in May 2026.')];
    expect(planInsights(current, newer)).toEqual({ known: [0], superseded: [{ id: 'b', by: 1, reason: 'repeats' }] });
  });

  it('compares tones by their value, whatever the words', () => {
    const current = [stored('a', 'Asks for fewer words.', 'concise'), stored('b', 'Wants every detail.', 'detailed')];
    expect(planInsights(current, [fresh('Skips long texts.', 'concise')]).superseded).toEqual([
      { id: 'a', by: 0, reason: 'repeats' },
      { id: 'b', by: 0, reason: 'contradicts' },
    ]);
  });
});
