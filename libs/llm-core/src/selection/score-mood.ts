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

const WORD = /\p{L}+/gu;

const ENGLISH = setOf(
  'the and is are am to of it that this was were for with my your not have has had we they he she you i at be but so',
);
// Function words of German, French, Spanish, Italian, Portuguese and Dutch, without those that exist in English too.
const OTHER = setOf(
  'der das und ist nicht ich ein eine mit wir sie zu den dem auf auch sehr bin ' +
    'le les et est une dans je pas que qui nous vous avec pour sur ce cette mais très suis ' +
    'el los las y es una con por en muy pero mi yo como más estoy ' +
    'il che è di non sono gli della molto ma ho ' +
    'um uma não com muito os eu meu está ' +
    'het een van ik niet zijn maar heel mijn',
);

/**
 * Whether a text is likely English: false if it has more function words of other languages than of English. Short texts
 * without function words and texts in other scripts count as English: they contain no words that an English lexicon
 * could misinterpret.
 */
function isLikelyEnglish(text: string): boolean {
  let balance = 0;
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (ENGLISH.has(word)) balance += 1;
    else if (OTHER.has(word)) balance -= 1;
  }
  return balance >= 0;
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
