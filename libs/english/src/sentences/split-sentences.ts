export interface SentenceOptions {
  /** Whether a semicolon ends a sentence as well. */
  readonly semicolons?: boolean;
}

// The lookbehind lets a match begin at the first mark of a run only, so that a long run takes linear time.
const MARK = '(?<![.!?…])[.!?…]+["\'”’)\\]]*(?=\\s|$)|[。！？]+';
const END = new RegExp(`${MARK}|\\n`, 'gu');
const END_OR_SEMICOLON = new RegExp(`${MARK}|[\\n;]`, 'gu');

/** In UTF-16 units; the longest abbreviation, with the character before it, is shorter. */
const MAX_ABBREVIATION_LENGTH = 12;
/** A name, a number or an example follows: "Dr. Weber", "J. Smith", "the U.S. Army", "e.g. tea". */
const ABBREVIATION =
  /(?:^|[\s(])(?:[Mm]rs?|[Mm]s|Mx|[Dd]r|[Pp]rof|St|Mt|Ft|vs|e\.g|i\.e|approx|Nr|Str|[Dd]ept|bzw|ca|z\.B|d\.h|(?!I)\p{Lu}|(?:\p{Lu}\.)+\p{Lu})\.$/u;
/** May end a sentence, but not before a small letter or a number: "9 a.m. on Monday", "No. 5", "Jan. 5". */
const MAYBE_ABBREVIATION =
  /(?:^|[\s(])(?:[ap]\.m|etc|Inc|Ltd|Co|Jr|Sr|No|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|[Bb]ldg|Rd|incl|ft|(?<=\d )in)\.$/u;
const CONTINUES = /\s+[\p{Ll}\d]/uy;
/** "1." in front of the first item of a list. */
const LIST_NUMBER = /^\s*\d{1,2}\.$/;

/** Other people's words stay in one sentence; a quotation of several paragraphs, or a longer one, is not recognised. */
const QUOTATION = /(?<![\p{L}\p{N}])["“][^"“”\n]{1,280}["”](?![\p{L}\p{N}])/gu;

/**
 * The sentences and lines of a text, trimmed, in order; joined, they have all characters of the text but white space and
 * semicolons that end one. A full stop within a number, an address, an abbreviation or a quotation does not end a
 * sentence.
 */
export function splitSentences(text: string, { semicolons = false }: SentenceOptions = {}): string[] {
  const isQuoted = createQuotationTest(text);
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(semicolons ? END_OR_SEMICOLON : END)) {
    const end = index + mark.length;
    if (isQuoted(end) || (mark === '.' && isAbbreviation(text, start, end))) continue;
    sentences.push(text.slice(start, mark === ';' ? index : end).trim());
    start = end;
  }
  sentences.push(text.slice(start).trim());
  return sentences.filter((sentence) => sentence !== '');
}

/** Whether a position, of increasing ones, is inside of a quotation. */
function createQuotationTest(text: string): (position: number) => boolean {
  const quotations = Array.from(
    text.matchAll(QUOTATION),
    ({ 0: words, index }) => [index, index + words.length] as const,
  );
  let next = 0;
  return (position) => {
    while (next < quotations.length && quotations[next]![1] <= position) next += 1;
    const quotation = quotations[next];
    return quotation !== undefined && quotation[0] < position;
  };
}

/** Whether the full stop before `end` belongs to a word of the sentence that begins at `start`. */
function isAbbreviation(text: string, start: number, end: number): boolean {
  const tail = text.slice(Math.max(start, end - MAX_ABBREVIATION_LENGTH), end);
  if (ABBREVIATION.test(tail)) return true;
  if (end - start <= MAX_ABBREVIATION_LENGTH && LIST_NUMBER.test(tail)) return true;
  CONTINUES.lastIndex = end;
  return MAYBE_ABBREVIATION.test(tail) && CONTINUES.test(text);
}
