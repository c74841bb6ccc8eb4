import { checkSentences as checkInSlices, settleSentences } from './check-sentences.js';
import { type SentenceCase, SENTENCE_CASES, UNSEEN_SENTENCE_CASES } from './cited-sentences.fixture.js';
import { SeededRng } from '../determinism/rng.js';
import { runAtOnce } from '../text/sliced.js';
import { dropSentencesOf } from './drop-messages.js';
import { fitSentences } from './fit-sentences.js';
import type { SummarySentence } from './types.js';

const checkSentences = (...input: Parameters<typeof checkInSlices>) => runAtOnce(checkInSlices(...input));

function check({ messages, sentence, cites }: SentenceCase) {
  const byId = new Map(messages.map((message) => [message.id, message]));
  return checkSentences([{ text: sentence, messageIds: cites }], byId);
}

const name = ({ domain, sentence, fault }: SentenceCase) => `${domain}: ${fault}: ${sentence}`;
const faulty = (cases: readonly SentenceCase[]) => cases.filter(({ fault }) => fault !== 'none');
const faithful = (cases: readonly SentenceCase[]) => cases.filter(({ fault }) => fault === 'none');

describe('checkSentences', () => {
  it.each([
    ['', SENTENCE_CASES],
    ['unseen ', UNSEEN_SENTENCE_CASES],
  ])('rejects every wrong one of the %ssentences and keeps the others', (_title, cases) => {
    expect(
      faulty(cases)
        .filter((example) => check(example).kept.length > 0)
        .map(name),
    ).toEqual([]);
    expect(
      faithful(cases)
        .filter((example) => check(example).kept.length === 0)
        .map((example) => `${name(example)} (${check(example).rejected[0]!.facts.join(', ')})`),
    ).toEqual([]);
  });

  const messages = new Map([
    ['a', { id: 'a', speaker: 'Ana', content: 'I have two cats.', createdAt: 0 }],
    ['b', { id: 'b', speaker: 'Ben', content: 'I adopted five dogs yesterday.', createdAt: Date.UTC(2026, 4, 8) }],
  ]);

  it('compares with the cited messages alone', () => {
    const sentence = 'Ben adopted five dogs on 7 May 2026.';
    expect(checkSentences([{ text: sentence, messageIds: ['b'] }], messages).kept).toHaveLength(1);
    expect(checkSentences([{ text: sentence, messageIds: ['a'] }], messages).rejected).toMatchObject([
      { index: 0, fault: 'invented' },
    ]);
  });

  it('drops ids of unknown messages and counts what is cited before anything is dropped', () => {
    const checked = checkSentences(
      [
        { text: 'Ana has cats.', messageIds: ['z', 'a', 'a'] },
        { text: 'Ana is kind.', messageIds: ['z'] },
      ],
      messages,
    );
    expect(checked.kept).toEqual([{ text: 'Ana has cats.', messageIds: ['a'] }]);
    expect(checked.rejected).toEqual([{ index: 1, fault: 'uncited', facts: [] }]);
    expect(checked.citedShare).toBe(0.5);
  });

  it('takes quotations for true when their words are in a source', () => {
    const quote = (words: string) => checkSentences([{ text: `Ben said “${words}”.`, messageIds: ['b'] }], messages);
    expect(quote('I adopted five dogs yesterday').kept).toHaveLength(1);
    expect(quote('I adopted six dogs yesterday').kept).toEqual([]);
    expect(quote('I adopted” no dogs “yesterday').kept).toEqual([]);
    expect(checkSentences([{ text: 'Ana said “five dogs”.', messageIds: ['b'] }], messages).kept).toEqual([]);
  });

  it('keeps the answer of which more is right', () => {
    const good = { text: 'Ana has two cats.', messageIds: ['a'] };
    const bad = { text: 'Ana has three cats.', messageIds: ['a'] };
    const [one, two, none] = [[good, bad], [good, good], [bad]].map((list) => checkSentences(list, messages));
    expect(settleSentences(one!, two!)).toHaveLength(2);
    expect(settleSentences(one!, none!)).toEqual([good]);
  });
});

describe('a model that lies in a fifth of its sentences', () => {
  const LIES: readonly ((sentence: string) => string)[] = [
    (sentence) => sentence.replace(/\d+/u, (digits) => String(Number(digits) + 1)),
    (sentence) => sentence.replace(/^(?!The\b)[A-Z]\p{Ll}+(?=['’]| \p{Ll})/u, 'Quentin'),
    (sentence) =>
      sentence.replace(/\b(?:January|March|April|May|July|September|November|Monday|Thursday)\b/u, 'February'),
    (sentence) => sentence.replace(/ (?:not|no longer)\b|n't\b/u, ''),
    (sentence) => `It is not true that ${sentence}`,
    (sentence) => sentence.replace(/\.$/u, ' with Quentin on 3 February 2031.'),
  ];

  it('changes no number, name, date or negation', () => {
    const rng = new SeededRng(7);
    const truths = faithful([...SENTENCE_CASES, ...UNSEEN_SENTENCE_CASES]);
    const messages = new Map(
      truths.flatMap(({ domain, messages: told }) => told.map((one) => [`${domain} ${one.id}`, one] as const)),
    );
    const answer = (): SummarySentence[] =>
      truths.map(({ domain, sentence, cites }) => {
        const messageIds = cites.map((id) => `${domain} ${id}`);
        const lie = LIES[Math.floor(rng.nextFloat() * LIES.length)]!;
        return { text: rng.nextFloat() < 0.2 ? lie(sentence) : sentence, messageIds };
      });
    const told = new Set(truths.map(({ sentence }) => sentence));
    let lies = 0;
    for (let round = 0; round < 20; round += 1) {
      const answers = [answer(), answer()] as const;
      lies += answers.flat().filter(({ text }) => !told.has(text)).length;
      const settled = settleSentences(checkSentences(answers[0], messages), checkSentences(answers[1], messages));
      expect(settled.map(({ text }) => text).filter((text) => !told.has(text))).toEqual([]);
      expect(settled.length).toBeGreaterThan(truths.length * 0.6);
    }
    expect(lies).toBeGreaterThan(150);
  });
});

describe('fitSentences', () => {
  const sentences = ['Ana is kind.', 'Ana moved to Oslo on 3 May 2026.', 'It went well for everybody.'].map((text) => {
    return { text, messageIds: ['a'] };
  });
  const fit = (maxTokens: number) =>
    fitSentences(sentences, maxTokens, (text) => text.split(' ').length).map(({ text }) => text);

  it('drops what has the fewest facts until the others fit, and never everything', () => {
    expect(fit(100)).toHaveLength(3);
    expect(fit(13)).toEqual(['Ana is kind.', 'Ana moved to Oslo on 3 May 2026.']);
    expect(fit(1)).toEqual(['Ana moved to Oslo on 3 May 2026.']);
    expect(fitSentences([], 1, () => 1)).toEqual([]);
  });
});

describe('dropSentencesOf', () => {
  it('takes every sentence along that rests on a deleted message', () => {
    const sentences = [
      { text: 'One.', messageIds: ['a'] },
      { text: 'Two.', messageIds: ['a', 'b'] },
      { text: 'Three.', messageIds: ['c'] },
    ];
    expect(dropSentencesOf(sentences, (id) => id === 'b').map(({ text }) => text)).toEqual(['One.', 'Three.']);
  });
});
