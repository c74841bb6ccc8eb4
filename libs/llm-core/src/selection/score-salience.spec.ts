import { boostPosition, scoreEmotionKeywords, scoreSalience } from './score-salience.js';

describe('scoreEmotionKeywords', () => {
  it.each([
    ['I love it', 1],
    ['We HATE Mondays, good and bad ones', 1],
    ['"amazing"!', 1],
    ['A bit worried, but fine', 0.5],
    ['okay', 0.2],
    ['The train leaves at nine', 0],
    ['', 0],
  ])('scores %j by its strongest word', (content, score) => {
    expect(scoreEmotionKeywords(content)).toBe(score);
  });

  it.each(['my goodness', 'a new badge', 'one glove', 'it is refined', 'lovely_day love2', 'a finé line'])(
    'matches whole words only: none in %j',
    (content) => {
      expect(scoreEmotionKeywords(content)).toBe(0);
    },
  );
});

describe('boostPosition', () => {
  it('boosts the first and the last fifth', () => {
    const boosts = Array.from({ length: 10 }, (_, index) => boostPosition(index, 10));
    expect(boosts).toEqual([0.2, 0.2, 0, 0, 0, 0, 0, 0, 0, 0.2]);
  });
});

describe('scoreSalience', () => {
  it('adds weighted delta, weighted emotion and position', () => {
    const weights = { weightDelta: 0.5, weightEmotion: 0.3 };
    const inside = { content: 'I am sad', deltaMagnitude: 0.4, index: 5, total: 10 };
    expect(scoreSalience(inside, weights)).toBeCloseTo(0.35, 12);
    expect(scoreSalience({ ...inside, index: 0 }, weights)).toBeCloseTo(0.55, 12);
  });
});
