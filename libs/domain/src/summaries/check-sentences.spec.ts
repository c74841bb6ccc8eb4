import { checkSentences, settleSentences } from './check-sentences.js';
import { type SentenceCase, SENTENCE_CASES, UNSEEN_SENTENCE_CASES } from './cited-sentences.fixture.js';
import { dropSentencesOf } from './drop-messages.js';

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
