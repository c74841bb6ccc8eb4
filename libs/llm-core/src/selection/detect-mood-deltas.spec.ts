import fc from 'fast-check';
import { detectMoodDeltas } from './detect-mood-deltas.js';

const user = (id: string, actorId: string | null = null) => ({ id, role: 'user' as const, actorId });
const assistant = (id: string) => ({ id, role: 'assistant' as const, actorId: null });
const moodsOf = (moods: Record<string, number>) => new Map(Object.entries(moods));

describe('detectMoodDeltas', () => {
  it('compares a message with the previous one of the same actor, by half the difference', () => {
    const deltas = detectMoodDeltas(
      [user('1'), assistant('2'), user('3'), assistant('4'), user('5')],
      moodsOf({ 1: 0.8, 2: 0, 3: -0.8, 4: 0.5, 5: -0.8 }),
    );
    expect(Object.fromEntries(deltas)).toEqual({
      1: { magnitude: 0, direction: 'none' },
      2: { magnitude: 0, direction: 'none' },
      3: { magnitude: 0.8, direction: 'fall' },
      4: { magnitude: 0.25, direction: 'rise' },
      5: { magnitude: 0, direction: 'none' },
    });
  });

  it('compares only messages of the same actor', () => {
    const deltas = detectMoodDeltas([user('1', 'ana'), user('2', 'ben')], moodsOf({ 1: 1, 2: -1 }));
    expect(deltas.get('2')).toEqual({ magnitude: 0, direction: 'none' });
  });

  it('treats a message without a mood as neutral', () => {
    expect(detectMoodDeltas([user('1'), user('2')], moodsOf({ 1: 1 })).get('2')).toEqual({
      magnitude: 0.5,
      direction: 'fall',
    });
  });

  it('gives every message a magnitude between 0 and 1', () => {
    const moods = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 30 });
    fc.assert(
      fc.property(moods, (scores) => {
        const messages = scores.map((_, index) => user(String(index), index % 3 === 0 ? 'ana' : null));
        const deltas = detectMoodDeltas(messages, new Map(scores.map((mood, index) => [String(index), mood])));
        expect(deltas.size).toBe(scores.length);
        for (const { magnitude, direction } of deltas.values()) {
          expect(magnitude).toBeGreaterThanOrEqual(0);
          expect(magnitude).toBeLessThanOrEqual(1);
          if (direction === 'none') expect(magnitude).toBe(0);
        }
      }),
    );
  });
});
