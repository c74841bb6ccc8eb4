import { isLikelyEnglish } from '@annals/english';
import type { SpanItsFunction } from 'wink-nlp';

/** Scores the mood of a text: −1 (bad) to 1 (good), 0 for neutral text and for text that is not English. */
export type MoodScorer = (text: string) => number;

/** UTF-16 units that are analysed; more would hardly change the mood. */
const MAX_READ_LENGTH = 4_000;
// URLs, ids and runs of symbols: they carry no mood, and the time of wink's tokenizer is quadratic in their length.
const LONG_RUN = /\S{41,}/gu;
const PIPELINE = ['sbd', 'negation', 'sentiment'];

// wink compares the argument of `out` by identity with this function, so it must be passed unchanged.
interface SentimentReader {
  readonly sentiment: SpanItsFunction<number>;
}

let loading: Promise<MoodScorer> | undefined;

/**
 * Loads the scorer based on wink-nlp's sentiment lexicon, which handles negation and emoji. The English model (about
 * 0.3 s and 70 MB) is loaded on the first call; call this at startup where the first score must not be delayed.
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
