/** A clause and whether its sentence is a question. */
export interface Clause {
  readonly text: string;
  readonly isQuestion: boolean;
}

/** Replaces quoted text; no rule matches across it. */
const CUT = '\uFFFC';

/** A quoted name still counts as the speaker's own text. */
const QUOTED_NAME = /^[\p{Lu}\p{Lo}][\p{L}\p{M}'’-]*(?: [\p{Lu}\p{Lo}][\p{L}\p{M}'’-]*){0,2}$/u;
const SINGLE_QUOTED = /(^|\s)['‘]([^'‘’\n]*\s[^'‘’\n]*)['’](?=[\s.,!?;:)]|$)/g;
const DOUBLE_QUOTED = /["“”„«»]([^"“”„«»]*)["“”„«»]/g;
const UNCLOSED_QUOTE = /["“”„«»][^]*$/;
const CODE = /```[^]*?(?:```|$)|`[^`\n]*`/g;
const FORWARDED = /^\s*>.*$/gm;

const SENTENCE_END = /([.!?…]+)(?=\s|$)|[\n;]+/g;
const ABBREVIATION = /(?:^|\s)(?:St|Dr|Mr|Mrs|Ms|Mt|Ft|vs|etc|e\.g|i\.e)$/;
/** Where a sentence continues with an independent clause. */
const CLAUSE_START =
  /,?\s+(?:and|but|so|also)\s+(?=(?:i|i'm|i’m|my|please|you can|you may|call|don't|don’t|do not|never|stop|forget)\b)/giu;

/** The clauses of a message in its speaker's own words: without quotes, forwarded lines and code. */
export function splitClauses(content: string): Clause[] {
  return splitSentences(removeOthersWords(content)).flatMap(({ text, isQuestion }) =>
    text.split(CLAUSE_START).map((clause) => ({ text: clause.trim(), isQuestion })),
  );
}

function removeOthersWords(content: string): string {
  return content
    .replaceAll(CODE, CUT)
    .replaceAll(FORWARDED, CUT)
    .replaceAll(DOUBLE_QUOTED, (_quoted, inner: string) => (QUOTED_NAME.test(inner) ? inner : CUT))
    .replace(UNCLOSED_QUOTE, CUT)
    .replaceAll(SINGLE_QUOTED, (_quoted, before: string) => before + CUT);
}

function splitSentences(text: string): Clause[] {
  const sentences: Clause[] = [];
  let start = 0;
  for (const end of text.matchAll(SENTENCE_END)) {
    const before = text.slice(start, end.index);
    if (end[1] === '.' && ABBREVIATION.test(before)) continue;
    sentences.push({ text: before, isQuestion: (end[1] ?? '').includes('?') });
    start = end.index + end[0].length;
  }
  sentences.push({ text: text.slice(start), isQuestion: false });
  return sentences.filter(({ text: sentence }) => sentence.trim() !== '');
}
