import { splitWords, stem } from '@annals/english';
import { isTopicWord } from './small-talk.js';

/** A sentence that a summary may have. */
export interface Statement {
  /** Without its final full stop, and without the day when it was said. */
  readonly text: string;
  /** "2 March 2026"; null when the text needs none. */
  readonly saidOn: string | null;
  /** The messages that it rests on. */
  readonly messageIds: readonly string[];
  /** Its place in the text: statements are told in this order. */
  readonly order: number;
  /** The sentences that it tells or quotes: what is quoted is not told beside it. */
  readonly sentences: readonly string[];
  readonly isQuotation: boolean;
  /** Stems of the words of its topic. */
  readonly stems: ReadonlySet<string>;
  /** How much it is worth beside its words: facts, form, place. */
  readonly bonus: number;
}

export function listTopicStems(text: string): Set<string> {
  return new Set(splitWords(text).filter(isTopicWord).map(stem));
}

const FACT = /\d[\d.,:]*|(?<=\p{Ll}[,;:]? )\p{Lu}\p{Ll}+/gu;
const FACT_VALUE = 0.08;
const MAX_FACTS = 5;
/** What it points at is in another sentence: "It was fine", "They did". */
const POINTS_BACK =
  /^(?:it|its|that|this|these|those|they|them|he|she|his|her|there|then|one of them|both|the (?:first|second|other|rest)|and|but|or|because)\b/iu;
const SPEAKS_TO_LISTENER = /\b(?:you|your|yours|let's)\b/iu;
/** Decisions, changes and obligations. */
const WEIGHTY =
  /\b(?:decided?|agreed|must|have to|has to|need(?:s|ed)?|moved?|moves|bought|sold|hired|born|died|married|stopped|quit|cancel+ed|started|begins?|starts|signed|passed|failed|broke|fixed|responsible|because|deadline|never|not allowed|no longer|required|switched|changed|booked|paid|pays|costs?)\b/iu;

/** Of the words of one sentence as they were said. */
export function rateWords(words: string): number {
  const facts = Math.min(MAX_FACTS, words.match(FACT)?.length ?? 0) * FACT_VALUE;
  return (
    facts +
    (WEIGHTY.test(words) ? 0.2 : 0) -
    (POINTS_BACK.test(words) ? 0.3 : 0) -
    (SPEAKS_TO_LISTENER.test(words) ? 0.25 : 0)
  );
}
