import { MAX_LINEAR_GROWTH, measureCpuGrowth } from '@annals/testing';
import fc from 'fast-check';
import { splitSentences } from './split-sentences.js';

describe('splitSentences', () => {
  it.each<[string, string[]]>([
    ['Ana runs. Ana swims!', ['Ana runs.', 'Ana swims!']],
    ['Ana rests', ['Ana rests']],
    ['Really?! Yes... Maybe… no', ['Really?!', 'Yes...', 'Maybe…', 'no']],
    ['安娜住在北京。她喜欢茶。', ['安娜住在北京。', '她喜欢茶。']],
    ['Ana asked “why?” and left.', ['Ana asked “why?”', 'and left.']],
    ['(I was late.) Sorry!', ['(I was late.)', 'Sorry!']],
  ])('splits %j at punctuation', (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences);
  });

  it('splits at lines, and drops empty ones', () => {
    expect(splitSentences('Really?\n- one\n\n- two')).toEqual(['Really?', '- one', '- two']);
  });

  it.each([
    'Ana paid 3.50 for tea at cafe.example.com.',
    'Ana lives in the U.S. Ana likes it.',
    'Dr. Weber met Mr. J. Smith at St. Mary, e.g. on Mondays.',
    'Ana works from 9 a.m. to 5 p.m. in room No. 5.',
    'Ana works from Jan. 5 in Bldg. 12 of dept. RD, and is 5 ft. 4 in. tall.',
    '1. Buy milk.',
    'She said “I am tired. My cat is ill” and left.',
  ])('does not split %j', (text) => {
    expect(splitSentences(text)).toEqual([text]);
  });

  it.each<[string, string[]]>([
    ['I got up at 5 a.m. Then I ran.', ['I got up at 5 a.m.', 'Then I ran.']],
    ['No. I have a dog.', ['No.', 'I have a dog.']],
    ['So do I. My cat too.', ['So do I.', 'My cat too.']],
    ['It is 5" long. It is "red". Yes.', ['It is 5" long.', 'It is "red".', 'Yes.']],
  ])('splits %j, where the abbreviation or the quotation ends', (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences);
  });

  it('splits at semicolons on request only', () => {
    expect(splitSentences('Call me Ana; I run. Bye')).toEqual(['Call me Ana; I run.', 'Bye']);
    expect(splitSentences('Call me Ana; I run. Bye', { semicolons: true })).toEqual(['Call me Ana', 'I run.', 'Bye']);
  });

  it('retains every character but white space, in order', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.array(fc.constantFrom('Dr. ', 'I', '. ', '!', '"', '“', '”', '\n', ' a', 'e.g. ', '...', '1.')).map((list) => {
        return list.join('');
      }),
    );
    fc.assert(
      fc.property(text, (content) => {
        const sentences = splitSentences(content);
        expect(sentences.join('').replace(/\s/gu, '')).toBe(content.replace(/\s/gu, ''));
        for (const sentence of sentences) expect(content.includes(sentence) && sentence === sentence.trim()).toBe(true);
      }),
    );
  });

  it.each(['Mr. ', 'U.S.', '.', '! ', '“a', 'a', ' '])('takes linear time on %j repeated', (unit) => {
    const work = (size: number) => splitSentences(`x. ${unit.repeat(size / unit.length)}x`);
    expect(measureCpuGrowth(work, 10_240)).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});
