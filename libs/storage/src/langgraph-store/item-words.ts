const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/gu;

/**
 * A text as its words alone, letters and digits, with a space between two. PostgreSQL's parser takes a time for `a_a_a…` and
 * `/~/~…` that grows with the square of the length: half a minute for 50,000 characters.
 */
export function separateWords(text: string): string {
  return text.replace(BETWEEN_WORDS, ' ');
}
