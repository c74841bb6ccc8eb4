import { NUMBER_WORDS, readScaledWord, splitWords, stem, STOP_WORDS } from '@annals/english';

/** What a newer insight does to an earlier one; both end it, `apart` leaves it. */
export type InsightRelation = 'repeats' | 'contradicts' | 'apart';

/** Shared part of the stems of both, from which two insights are about one thing. */
const SAME_TOPIC = 0.6;

const NEGATIONS = new Set(
  'not no never neither nor without hardly dont doesnt didnt isnt arent wasnt werent cant cannot longer'.split(' '),
);
/** Words that are in insights about anything. */
const EMPTY = new Set(
  (
    'user users again before after than since when while feels feel felt feeling seems seem appears appear shows show ' +
    'showed sounds sounded sound looks look tends tend becomes became gets very quite still now currently often best ' +
    'days day weeks week months month times from ' +
    'january february march april may june july august september october november december'
  ).split(' '),
);
const DIGIT = /\d/u;

interface InsightWords {
  readonly topics: ReadonlySet<string>;
  /** The end of each scale that a word of the insight is on. */
  readonly ends: ReadonlyMap<number, 1 | -1>;
  readonly negations: number;
}

/**
 * Compares two insights about one person by their words (docs/reference/insights.md#newer-insights-win). Numbers, dates
 * and the person's names do not count: "on 3 days in May" and "on 5 days in June" say the same of one topic.
 */
export function compareInsights(earlier: string, newer: string, names: readonly string[] = []): InsightRelation {
  const ownNames = new Set(names.flatMap(splitWords));
  const [one, other] = [readInsight(earlier, ownNames), readInsight(newer, ownNames)];
  if (measureOverlap(one.topics, other.topics) < SAME_TOPIC) return 'apart';
  const shared = [...one.ends].filter(([scale]) => other.ends.has(scale));
  const turns = shared.filter(([scale, end]) => other.ends.get(scale) !== end).length;
  return (turns + one.negations + other.negations) % 2 === 0 ? 'repeats' : 'contradicts';
}

function readInsight(text: string, ownNames: ReadonlySet<string>): InsightWords {
  const topics = new Set<string>();
  const ends = new Map<number, 1 | -1>();
  let negations = 0;
  for (const word of splitWords(text)) {
    const scaled = readScaledWord(word);
    if (NEGATIONS.has(word)) negations = 1;
    else if (scaled) {
      topics.add(`scale ${scaled.scale}`);
      ends.set(scaled.scale, scaled.end);
    } else if (isTopic(word, ownNames)) topics.add(stem(word));
  }
  return { topics, ends, negations };
}

function isTopic(word: string, ownNames: ReadonlySet<string>): boolean {
  return (
    !STOP_WORDS.has(word) &&
    !EMPTY.has(word) &&
    !ownNames.has(word) &&
    !DIGIT.test(word) &&
    !NUMBER_WORDS.includes(word)
  );
}

function measureOverlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((topic) => other.has(topic)).length;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}
