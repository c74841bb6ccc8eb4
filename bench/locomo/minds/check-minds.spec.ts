import type { Insight, MindRun, Summary } from '@annals/contracts';
import { checkInsights, checkSummaries, digest, findSensitive, inventsName, inventsNumber } from './check-minds.ts';
import type { MadeByMinds, SourceMessage } from './read-minds.ts';

const messages = new Map<string, SourceMessage>([
  ['a', { userId: 'ann', conversationId: 'c1', speaker: 'Ann', content: 'I sold 12 lamps to Ben in Porto.' }],
  ['b', { userId: 'bob', conversationId: 'c2', speaker: 'Bob', content: 'Nice!' }],
]);
const sentence = (text: string, ...ids: string[]) => ({ text, message_ids: ids });

describe('numbers and names of a sentence', () => {
  it.each([
    ['Ann sold 12 lamps to Ben.', false, false],
    ['On 8 May 2023, Ann sold 12 lamps to Ben’s neighbour.', false, false],
    ['Ann sold 13 lamps to Ben.', true, false],
    ['Ann sold 12 lamps to Quentin.', false, true],
    ['Ann plans to sell 12 lamps in summer 2024.', false, false],
    ['In 2023, Ann sold lamps in Lisbon.', false, true],
  ])('%s', (text, number, name) => {
    expect(inventsNumber(sentence(text, 'a'), messages)).toBe(number);
    expect(inventsName(sentence(text, 'a'), messages)).toBe(name);
  });

  it('are invented when the sentence cites nothing', () => {
    expect(inventsNumber(sentence('Ann sold 12 lamps.'), messages)).toBe(true);
  });
});

describe('figures of insights', () => {
  const ground = (id: string) => ({ kind: 'message', message_id: id }) as Insight['ground'][number];
  const insight = (content: string, ...ids: string[]) =>
    ({
      userId: 'ann',
      content,
      tags: [],
      confidence: 0.5,
      ground: ids.map(ground),
    }) as unknown as MadeByMinds['insights'][0];
  const runs = [{ kind: 'insights', counts: { drafted: 4, refused: 1 } }] as unknown as MindRun[];

  it('count what has no ground, cites another person, or is about a sensitive subject', () => {
    const insights = [
      insight('Mentions lamps again.', 'a'),
      insight('Prays a lot.'),
      insight('Sounds better.', 'b', 'x'),
    ];
    expect(checkInsights({ insights, messages, runs })).toEqual({
      'insights drafted': 4,
      'insights rejected': 1,
      'insights stored': 3,
      'insights with ground': '66.7 %',
      'citations of insights': 3,
      'citations of no or another person’s message': 2,
      'insights with a word of a sensitive subject': 1,
    });
    expect(findSensitive('Mentions church again and again.')).toBe('church');
  });

  it('are of one digest for the same insights in any order, under any ids', () => {
    const made = (...insights: MadeByMinds['insights'][0][]) => ({ insights, summaries: [] }) as unknown as MadeByMinds;
    const [one, two] = [insight('Mentions lamps again.', 'a'), insight('Sounds better.', 'b')];
    const names = new Map([
      ['a', 'D1:1'],
      ['z', 'D1:1'],
    ]);
    expect(digest(made(one, two), names)).toBe(digest(made(two, insight('Mentions lamps again.', 'z')), names));
    expect(digest(made(one, two), names)).not.toBe(digest(made(one), names));
  });
});

describe('figures of summaries', () => {
  const summary = (ratio: number, ...sentences: Summary['sentences']) =>
    ({
      conversationId: 'c1',
      level: 'L3',
      depth: 'BRIEF',
      sentences,
      compression: { ratio, target_ratio: 0.2, meets_target: ratio <= 0.22 },
    }) as unknown as MadeByMinds['summaries'][0];

  it('count citations of other conversations and whether targets are met', () => {
    const runs = [{ kind: 'summary', counts: { rejected_sentences: 2 } }] as unknown as MindRun[];
    const summaries = [summary(0.1, sentence('Ann sold 12 lamps.', 'a')), summary(0.3, sentence('Nice!', 'b'))];
    expect(checkSummaries({ summaries, messages, runs })).toEqual({
      summaries: 2,
      'compression BRIEF L3 (2)': '20.0 %, target 20.0 %, met by 50.0 %',
      sentences: 2,
      'sentences that cite messages of their conversation': '50.0 %',
      'sentences rejected before': 2,
      'sentences with an invented number': 0,
      'sentences with an invented name': 0,
    });
  });
});
