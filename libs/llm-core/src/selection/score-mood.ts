import type { SpanItsFunction } from 'wink-nlp';
import { isLikelyEnglish } from './is-likely-english.js';

/** The mood of a text: −1 (bad) to 1 (good), 0 when there is none to find or the text is not English. */
export type MoodScorer = (text: string) => number;

/** Words decide the mood long before this many UTF-16 units are read. */
const MAX_READ_LENGTH = 4_000;
// Addresses, ids and rows of signs: no mood is in them, and wink's tokenizer takes the square of their length.
const LONG_RUN = /\S{41,}/gu;
const PIPELINE = ['sbd', 'negation', 'sentiment'];

// wink compares what `out` is given with this very function, so it must be handed over as it is.
interface SentimentReader {
  readonly sentiment: SpanItsFunction<number>;
}

let loading: Promise<MoodScorer> | undefined;

/**
 * The scorer on wink-nlp's sentiment lexicon, which knows negation and emoji. The English model (about 0.3 s and 70 MB)
 * is loaded at the first call; call this at start where the first score must not wait.
 */
export function loadMoodScorer(): Promise<MoodScorer> {
  return (loading ??= importMoodScorer());
}

async function importMoodScorer(): Promise<MoodScorer> {
  const [{ default: winkNLP }, { default: model }] = await Promise.all([
    import('wink-nlp'),
    import('wink-eng-lite-web-model'),
  ]);
  const nlp = winkNLP(model, PIPELINE);
  const its: SentimentReader = nlp.its;
  return (text) => {
    const readable = text.slice(0, MAX_READ_LENGTH).replace(LONG_RUN, ' ');
    if (!isLikelyEnglish(readable)) return 0;
    return limitToUnit(Number(nlp.readDoc(readable).out(its.sentiment)));
  };
}

function limitToUnit(mood: number): number {
  return Number.isFinite(mood) ? Math.min(1, Math.max(-1, mood)) : 0;
}
