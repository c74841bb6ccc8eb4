import { splitSentences, splitWords, stem, STOP_WORDS } from '@annals/english';
import nlp from 'compromise/two';

const { lexicon } = (nlp as unknown as { model(): { one: { lexicon: object } } }).model().one;
const LEXICON: ReadonlySet<string> = new Set(Object.keys(lexicon));
/** Words of English and of other languages alike, which tell neither. */
const AMBIGUOUS = new Set(
  'a i me he in am as do on so was an is or be at we will die us has had to no me men de la van den'.split(' '),
);
const NUMBER = /\d/u;
/** Of the words of a sentence that tell a language, from this share on they are none of English: at least two. */
const UNKNOWN_SHARE = 1 / 4;
const MIN_UNKNOWN = 2;

/**
 * Whether a text can be read by rules for English: neither it nor any sentence of it has many words that are neither in
 * the lexicon nor among `known` stems.
 */
export function readsAsEnglish(text: string, known: ReadonlySet<string>): boolean {
  return [text, ...splitSentences(text)].every((part) => {
    const words = splitWords(part).filter((word) => !NUMBER.test(word) && !AMBIGUOUS.has(word));
    const unknown = words.filter((word) => !isEnglish(word) && !known.has(stem(word)));
    return unknown.length < MIN_UNKNOWN || unknown.length < UNKNOWN_SHARE * words.length;
  });
}

function isEnglish(word: string): boolean {
  return [word, word.replace(/s$/u, ''), word.replace(/es$/u, '')].some(
    (form) => LEXICON.has(form) || STOP_WORDS.has(form),
  );
}
