import anyAscii from 'any-ascii';

const POSSESSIVE = /['’ʼ]s$/u;
/** Letters that are also written as two: "Müller" is "Mueller". */
const WRITTEN_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };
const HAS_WRITTEN_OUT = /[äöüåø]/gu;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const ASCII = /^\p{ASCII}*$/u;
const NOT_PLAIN = /[^a-z0-9]/gu;

/**
 * The normal forms of a word of a name: NFKC, lower case, Latin letters without diacritics, no possessive. Two words are
 * the same name if they share one: "Müller" is "muller" and "mueller", each of which is only itself. Empty for a word
 * without letters and digits.
 */
export function foldWord(word: string): readonly string[] {
  const lower = word.normalize('NFKC').toLowerCase().replace(POSSESSIVE, '');
  const plain = toPlain(lower);
  if (plain === lower) return plain === '' ? [] : [plain];
  const written = toPlain(lower.replace(HAS_WRITTEN_OUT, (letter) => WRITTEN_OUT[letter]!));
  const forms = [plain, written, ...(CYRILLIC.test(lower) ? [plain.replace(/iya$/u, 'ia')] : [])];
  return [...new Set(forms)].filter((form) => form !== '');
}

/** The normal form of an identifier's part: the plain one alone, since identifiers are not transliterated in two ways. */
export function foldIdentifier(part: string): string {
  return toPlain(part.normalize('NFKC').toLowerCase().replace(POSSESSIVE, ''));
}

/**
 * Whether a text can contain a normal form as a word, or as the beginning of one: false only when it surely does not. Most
 * texts do not, and reading their words costs fifteen times as much.
 */
export function mayContain(text: string, forms: readonly string[]): boolean {
  if (!ASCII.test(text)) return true;
  const plain = text.toLowerCase().replace(NOT_PLAIN, '');
  return forms.some((form) => plain.includes(form));
}

const toPlain = (lower: string) => (ASCII.test(lower) ? lower : anyAscii(lower).toLowerCase()).replace(NOT_PLAIN, '');
