import { splitWords } from './split-words.js';

/**
 * Words at the two ends of one scale, as they look after `splitWords`. A word is on one scale only; words of one end
 * mean about the same.
 */
const SCALES: readonly (readonly [string, string])[] = [
  [
    'more increased increasing increases rises rose risen rising grows grew grown growing higher up',
    'less fewer decreased decreasing decreases falls fell fallen falling shrinks declines declining lower down',
  ],
  ['better improves improved improving', 'worse worsens worsened worsening deteriorates'],
  [
    'likes like liked loves love loved enjoys enjoy enjoyed prefers prefer preferred welcomes welcome favours favors appreciates appreciate values',
    'dislikes dislike disliked hates hate hated avoids avoid avoided rejects reject resents resent dreads dread refuses',
  ],
  ['trusts trust trusted trusting', 'distrusts distrust mistrusts mistrust doubts doubt'],
  ['confident confidence certain sure assured', 'unsure uncertain insecure doubtful hesitant'],
  ['calm calmer relaxed composed', 'anxious tense nervous stressed worried agitated stress'],
  ['patient patience', 'impatient impatience'],
  ['open openly openness outgoing', 'guarded reserved closed withdrawn secretive'],
  ['formal formally', 'informal informally casual casually'],
  ['short shorter brief briefer concise terse', 'long longer detailed thorough lengthy elaborate'],
  ['quick quickly fast faster', 'slow slowly slower'],
  ['happy happier cheerful glad joyful', 'sad sadder unhappy gloomy miserable'],
  ['satisfied pleased content', 'dissatisfied frustrated displeased disappointed annoyed'],
  ['optimistic hopeful', 'pessimistic hopeless'],
  ['motivated eager enthusiastic keen interested', 'unmotivated demotivated reluctant bored uninterested'],
  ['comfortable ease', 'uncomfortable uneasy'],
  ['alone independently', 'together jointly'],
  ['friendly warm warmer', 'hostile cold colder'],
  ['agrees agree accepts accept', 'disagrees disagree objects'],
  ['positive', 'negative'],
  ['strong stronger', 'weak weaker'],
  ['morning mornings early earlier', 'evening evenings late later'],
  ['always often frequently', 'never rarely seldom'],
  ['starts start begins begin', 'stops stop quits ends'],
];

/** Where a word stands: the number of its scale, and at which end. */
export interface ScaledWord {
  readonly scale: number;
  readonly end: 1 | -1;
}

const SCALED_WORDS: ReadonlyMap<string, ScaledWord> = new Map(
  SCALES.flatMap(([one, other], scale) => [...listEnd(one, scale, 1), ...listEnd(other, scale, -1)]),
);

function listEnd(words: string, scale: number, end: ScaledWord['end']): [string, ScaledWord][] {
  return splitWords(words).map((word) => [word, { scale, end }]);
}

/** The place of a word, as it looks after `splitWords`, among words that have an opposite. */
export function readScaledWord(word: string): ScaledWord | undefined {
  return SCALED_WORDS.get(word);
}
