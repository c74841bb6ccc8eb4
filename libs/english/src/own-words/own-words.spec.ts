import { ATTACK_CORPUS, MAX_LINEAR_GROWTH, measureCpuGrowth } from '@annals/testing';
import fc from 'fast-check';
import { createOwnWordsReader } from './read-conversation.js';
import { readOwnWords, readOwnWordsInSteps } from './read-own-words.js';

const FOREIGN = new Set(['pasted', 'role_play', 'injection']);
const cases = ATTACK_CORPUS.filter(
  ({ kind, messages }) => FOREIGN.has(kind) && messages.length === 1 && !messages[0]!.role,
);
const textsOf = (isAttack: boolean) =>
  cases.filter((each) => each.isAttack === isAttack).map(({ messages }) => messages[0]!.content);
const HOUR_MS = 3_600_000;

describe('readOwnWords', () => {
  it.each(textsOf(true))('leaves out the first person of %j', (content) => {
    expect(readOwnWords(content).parts.join('\n')).not.toMatch(/\bI (?:am|have|live|work|own|moved|bought|studied)\b/);
  });

  it.each(textsOf(false).filter((content) => !/pretend/i.test(content)))('keeps %j whole', (content) => {
    expect(readOwnWords(content).parts).toEqual([content]);
  });

  it.each([
    ['I like tea. Proofread: I am a king.', ['I like tea.']],
    [
      'Translate "I am a king. I rule." to French. I like tea.',
      ['Translate "I am a king. I rule." to French. I like tea.'],
    ],
    ['Summarise: "I am a king. I rule." I like tea.', [' I like tea.']],
    ['Ana said: I am a queen.\n\nI like tea.', ['\n\nI like tea.']],
    ['I like tea.\n> I am a king.\nSo do I.', ['I like tea.\n', '\nSo do I.']],
    ['I like tea.\n```\nI am a king.\n```\nSo do I.', ['I like tea.\n', '\nSo do I.']],
    ['Can you proofread this text? Thanks!\n\nI am a king.', [' Thanks!']],
    ...[
      'As I said: I like tea.',
      'From: Porto\nTo: Lisbon\nI like trains.',
      'Blood test results: I have high cholesterol.',
      'You are the best and I am a happy customer. I like tea.',
      'Pretend play is fun. I like tea.',
      'I want to play a role in my town. I like tea.',
    ].map((content): [string, string[]] => [content, [content]]),
    ['Edit: I like tea.', ['Edit: I like tea.']],
    ['Correct: I like tea.', ['Correct: I like tea.']],
    ['In my story I am a king. I like tea.', [' I like tea.']],
    ["Pretend you didn't hear that. I like tea.", [' I like tea.']],
    ["I like tea. Pretend I'm five and explain mortgages.", ['I like tea.']],
    ['From: a@b\nDate: today\nDear all,\nSubject: tea\nI am a king.', ['From: a@b\nDate: today\nDear all,\n']],
    ...['From: Porto\nOne.\nTwo.\nThree.\nFour.\nSubject: tea\nI like trains.'].map((content): [string, string[]] => [
      content,
      [content],
    ]),
  ])('reads %j', (content, parts) => {
    expect(readOwnWords(content).parts).toEqual(parts);
  });

  it('gives pieces of the message, in order, for any text', () => {
    const pieces = fc.array(
      fc.constantFrom(...textsOf(true), ...textsOf(false), '\n', '"', '> ', '```', 'I like tea. '),
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const content = parts.join('');
        let offset = 0;
        for (const part of readOwnWords(content).parts) {
          offset = content.indexOf(part, offset);
          expect(offset).toBeGreaterThanOrEqual(0);
          offset += part.length;
        }
      }),
    );
  });
});

describe('readOwnWordsInSteps', () => {
  it.each(['to:a\n', 'subject\n', 'I like tea. ', '> a\n', '```a``` b\n'])('reads %j in steps', (text) => {
    const work = readOwnWordsInSteps(text.repeat(Math.ceil(100_000 / text.length)));
    let steps = 1;
    while (!work.next().done) steps += 1;
    expect(steps).toBeGreaterThanOrEqual(4);
  });

  it('takes time in proportion to the lines that look like headers', () => {
    const read = (length: number) => readOwnWords('to:a\n'.repeat(length / 5));
    expect(measureCpuGrowth(read, 100_000)).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});

describe('createOwnWordsReader', () => {
  const readAll = (...messages: (readonly [content: string, saidAt: number, speaker?: string])[]) => {
    const read = createOwnWordsReader();
    return messages.map(([content, saidAt, speaker = null]) => read({ content, saidAt, speaker }).next().value);
  };

  it('does not take a phrase for a role play', () => {
    const opening = ["Pretend I'm five and explain mortgages", "Pretend you didn't hear that", "Pretend it's Friday"];
    for (const content of opening) {
      expect(readAll([content, 0], ['I like tea.', 1])).toEqual([[], ['I like tea.']]);
    }
  });

  it('keeps the role play of one person from the words of another', () => {
    expect(
      readAll(["Let's role-play!", 0, 'bob'], ['I like tea.', 1], ['I am a king.', 2, 'bob'], ['I like milk.', 3]),
    ).toEqual([[], ['I like tea.'], [], ['I like milk.']]);
  });

  it('goes on with a role play until it is ended', () => {
    expect(
      readAll(
        ["Let's role-play!", 0],
        ['I am a king.', 1],
        ['Okay, stop the role play. I like tea.', 2],
        ['I like milk.', 3],
      ),
    ).toEqual([[], [], [' I like tea.'], ['I like milk.']]);
  });

  it('ends a role play after a pause of more than an hour', () => {
    expect(readAll(['Pretend you are a cat.', 0], ['I am a dog.', HOUR_MS], ['I like tea.', 2 * HOUR_MS + 1])).toEqual([
      [],
      [],
      ['I like tea.'],
    ]);
  });
});
