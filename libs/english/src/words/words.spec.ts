import { measureCpuGrowth, MAX_LINEAR_GROWTH } from '@annals/testing';
import fc from 'fast-check';
import { analyzeTerms, stem } from './analyze-terms.js';
import { splitWords } from './split-words.js';

const anyText = fc.string({ unit: 'binary' });

describe('splitWords', () => {
  it.each([
    ["Anna\u2019s dog doesn't bite.", ['anna', 'dog', 'doesnt', 'bite']],
    ["O'Brien, caf\u00e9 & CAFE\u0301", ['obrien', 'cafe', 'cafe']],
    ['On 2023-05-08 at 7pm', ['on', '2023', '05', '08', 'at', '7pm']],
    ['\u6771\u4eac\u3078\u884c\u304f', ['\u6771\u4eac', '\u4eac\u3078', '\u3078\u884c', '\u884c\u304f']],
    ['iPhone\u3092\u8cb7\u3046', ['iphone', '\u3092\u8cb7', '\u8cb7\u3046']],
    ['\u732b', ['\u732b']],
    [
      '\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440',
      ['\u043f\u0440\u0438\u0432\u0435\u0442', '\u043c\u0438\u0440'],
    ],
    ['\uff21\uff22\uff11', ['ab1']],
    ['\u{1f600} !?', []],
  ])('splits %j', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it('splits ASCII beside other letters as it does alone', () => {
    const ascii = fc.oneof(
      fc.string({ unit: 'binary-ascii' }),
      fc
        .array(fc.constantFrom("O'Brien", "dogs'", "a'b'c", "it's", '3pm', "7's", ' ', '-', '\n'))
        .map((list) => list.join('')),
    );
    fc.assert(
      fc.property(ascii, (text) => {
        expect([...splitWords(text), 'e']).toEqual(splitWords(`${text} \u00e9`));
      }),
    );
  });

  it('returns words without white space, of at most 64 code points', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.constant('x'.repeat(10_000))), (text) => {
        for (const word of splitWords(text)) expect(word).toMatch(/^\S{0,64}$/u);
      }),
    );
  });
});

describe('analyzeTerms', () => {
  it('stems and counts words, without stop words', () => {
    const { terms, length } = analyzeTerms('She was hiking; he hikes. Hike 2 trails!');
    expect([...terms]).toEqual([
      ['hike', 3],
      ['2', 1],
      ['trail', 1],
    ]);
    expect(length).toBe(5);
  });

  it('does not stem words of other alphabets and words with digits', () => {
    expect(stem('caf\u00e9s')).toBe('caf\u00e9s');
    expect(stem('abc123ing')).toBe('abc123ing');
    expect(stem('running')).toBe('run');
  });

  it('has a length that is the sum of its counts, whatever the case of the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { terms, length } = analyzeTerms(text);
        expect([...terms.values()].reduce((sum, count) => sum + count, 0)).toBe(length);
      }),
    );
    expect(analyzeTerms('BERLIN Coffee')).toEqual(analyzeTerms('berlin coffee'));
  });

  it.each(["a'", 'a', '\u6771', '\u0301', 'a '])('takes linear time on %j repeated', (unit) => {
    const work = (size: number) => analyzeTerms(unit.repeat(size / unit.length));
    expect(measureCpuGrowth(work, 100_000)).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});
