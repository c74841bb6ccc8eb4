/** Maximum length of a term in code points: terms are keys of an index, whose rows must stay small. */
const MAX_WORD_LENGTH = 64;

const WORD = /[\p{L}\p{N}\p{M}]+(?:['\u2019\u02bc][\p{L}\p{M}]+)*/gu;
/** The same for a text of ASCII in lower case, in half the time. */
const ASCII_WORD = /[a-z0-9]+(?:'[a-z]+)*/g;
const POSSESSIVE = /['\u2019\u02bc]s$/;
const HAS_APOSTROPHE = /['\u2019\u02bc]/;
const APOSTROPHE = /['\u2019\u02bc]/g;
const ASCII = /^[\u0000-\u007f]*$/;
const LATIN = /^[\p{Script=Latin}\p{N}\p{M}]+$/u;
const MARK = /\p{M}/gu;
// Scripts written without spaces between words: runs of them are cut into pairs.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]+/gu;

/**
 * The words of a text in order: NFKC, lower case, letters and digits; "Anna's" is "anna", "don't" is "dont", "café" is
 * "cafe". Runs of a script without spaces become overlapping pairs of characters.
 */
export function splitWords(text: string): string[] {
  if (ASCII.test(text)) {
    const raws = text.toLowerCase().match(ASCII_WORD) ?? [];
    return text.includes("'") ? raws.map((raw) => limitLength(dropApostrophes(raw))) : raws.map(limitLength);
  }
  const words: string[] = [];
  for (const raw of text.normalize('NFKC').toLowerCase().match(WORD) ?? []) {
    if (ASCII.test(raw)) words.push(limitLength(dropApostrophes(raw)));
    else pushInternational(words, raw);
  }
  return words;
}

function pushInternational(words: string[], raw: string): void {
  let offset = 0;
  for (const { 0: run, index } of raw.matchAll(UNSPACED)) {
    if (index > offset) words.push(foldWord(raw.slice(offset, index)));
    pushPairs(words, run);
    offset = index + run.length;
  }
  if (offset < raw.length) words.push(foldWord(raw.slice(offset)));
}

function pushPairs(words: string[], run: string): void {
  const characters = Array.from(run);
  if (characters.length === 1) words.push(run);
  for (let index = 0; index + 1 < characters.length; index += 1)
    words.push(`${characters[index]}${characters[index + 1]}`);
}

function foldWord(raw: string): string {
  const word = dropApostrophes(raw);
  return limitLength(LATIN.test(word) ? word.normalize('NFD').replace(MARK, '') : word);
}

function dropApostrophes(raw: string): string {
  if (!HAS_APOSTROPHE.test(raw)) return raw;
  return raw.replace(POSSESSIVE, '').replace(APOSTROPHE, '');
}

function limitLength(word: string): string {
  return word.length <= MAX_WORD_LENGTH ? word : Array.from(word).slice(0, MAX_WORD_LENGTH).join('');
}
