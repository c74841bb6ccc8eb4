import { compareCpuTime } from '@annals/testing';
import fc from 'fast-check';
import { loadMoodScorer, type MoodScorer } from './score-mood.js';

let scoreMood: MoodScorer;
beforeAll(async () => {
  scoreMood = await loadMoodScorer();
});

describe('scoreMood', () => {
  it.each([
    'I love this so much!',
    "I'm so excited, we got the house!",
    '😀',
    'What a wonderful day 😀',
    'I am not unhappy about it, it went great.',
  ])('scores %j as good', (text) => {
    expect(scoreMood(text)).toBeGreaterThan(0.2);
  });

  it.each([
    'I hate it.',
    'We broke up and I have been crying all week.',
    'I am not happy with it at all.',
    'I do not love this.',
    'NOT good',
  ])('scores %j as bad', (text) => {
    expect(scoreMood(text)).toBeLessThan(-0.2);
  });

  it.each(['', '   \n ', 'The train leaves at nine.', 'My sister is called Ana.', '12:30', '\u0000\ud800'])(
    'scores %j as neutral',
    (text) => {
      expect(scoreMood(text)).toBe(0);
    },
  );

  it('combines good and bad words of one text', () => {
    const mixed = scoreMood('The flight was terrible, the hotel was wonderful.');
    expect(mixed).toBeGreaterThan(scoreMood('The flight was terrible.'));
    expect(mixed).toBeLessThan(scoreMood('The hotel was wonderful.'));
  });

  it.each([
    'Die Stadt war sehr schön und ich bin die Treppe hinauf, fast wie bei einem Brand.',
    'Je suis content, le chat et la pain sont avec nous.',
    'El sin es una palabra que no me gusta, pero es así.',
    '今日はとても楽しいです。',
    'Я сегодня очень рад.',
    'أنا سعيد جدا اليوم',
  ])('scores %j, which is not English, as neutral', (text) => {
    expect(scoreMood(text)).toBe(0);
  });

  it.each([
    ['one word', 'a'.repeat(100_000)],
    ['symbols', '_'.repeat(100_000)],
    ['emoji', '😀'.repeat(50_000)],
    ['words', 'not happy '.repeat(20_000)],
    ['a URL', `see https://example.org/${'a/'.repeat(50_000)} please`],
  ])('scores a very long text of %s in the time of some pages of prose', (_kind, text) => {
    expect(Math.abs(scoreMood(text))).toBeLessThanOrEqual(1);
    const prose = ''.padEnd(4_000, 'We had a lovely day at the lake. ');
    const compared = compareCpuTime(
      () => scoreMood(text),
      () => scoreMood(prose),
      8,
    );
    // Without the limits these take up to 17 s.
    expect(compared).toBeLessThan(8);
  });

  it('stays within −1 and 1 for any text, the same each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const mood = scoreMood(text);
        expect(mood).toBeGreaterThanOrEqual(-1);
        expect(mood).toBeLessThanOrEqual(1);
        expect(scoreMood(text)).toBe(mood);
      }),
    );
  });

  it('loads its model once', async () => {
    expect(await loadMoodScorer()).toBe(scoreMood);
  });
});
