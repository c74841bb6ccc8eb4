import { MAX_LINEAR_GROWTH, measureCpuGrowth } from '@annals/testing';
import { moveOpeningBehind, splitClauses } from './split-clauses.js';

const split = (sentence: string, kind: 'statement' | 'request') =>
  splitClauses(sentence, kind).map((clause) => clause.trim());

describe('splitClauses', () => {
  it.each<[string, string[]]>([
    ['I cook and I bake', ['I cook', 'I bake']],
    ['I cook and bake', ['I cook and bake']],
    ['I like tea, my sister likes coffee', ['I like tea', 'my sister likes coffee']],
    ['I moved; it was late… we slept', ['I moved', 'it was late', 'we slept']],
    ['My sister and I went home', ['My sister and I went home']],
    ['Last week, I ran', ['Last week, I ran']],
    ['When I was ten, we moved, and I cried', ['When I was ten, we moved', 'I cried']],
    ['I know how to swim, but not how to dive', ['I know how to swim, but not how to dive']],
  ])('splits the statement %j before each new subject', (sentence, clauses) => {
    expect(split(sentence, 'statement')).toEqual(clauses);
  });

  it.each<[string, string[]]>([
    ['My name is Ana and I live in Lisbon', ['My name is Ana', 'I live in Lisbon']],
    ['I am Ana, so please call me Ani and never Anne', ['I am Ana', 'please call me Ani', 'never Anne']],
    ['Call me Ishmael, she said', ['Call me Ishmael, she said']],
    ['If you call me Ana, I leave', ['If you call me Ana, I leave']],
    ['They met and she moved', ['They met and she moved']],
  ])('splits %j at conjunctions before the first person and requests', (sentence, clauses) => {
    expect(split(sentence, 'request')).toEqual(clauses);
  });

  it.each([' and I', ', ', ' ', 'my ', 'a', 'Ana and I '])('takes linear time on %j repeated', (unit) => {
    const sentence = (size: number) => `I ran ${unit.repeat(size / unit.length)}x`;
    const work = (size: number) => [splitClauses(sentence(size), 'statement'), splitClauses(sentence(size), 'request')];
    expect(measureCpuGrowth(work, 10_240)).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});

describe('moveOpeningBehind', () => {
  it.each([
    ['Last week I ran', 'I ran last week'],
    ['When I was ten, we moved', 'we moved when I was ten'],
    ['Also I ran', 'I ran'],
    ['I ran last week', 'I ran last week'],
  ])('turns %j into %j', (clause, moved) => {
    expect(moveOpeningBehind(clause)).toBe(moved);
  });
});
