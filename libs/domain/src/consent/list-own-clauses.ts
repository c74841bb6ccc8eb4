import { splitClauses, splitSentences } from '@annals/english';

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

const END_MARK = /(?<![.!?…])[.!?…]+["'”’)\]]*$/u;

/** The clauses of a message in its speaker's own words: without quotes, forwarded lines and code. */
export function listOwnClauses(content: string): Clause[] {
  return splitSentences(removeOthersWords(content), { semicolons: true }).flatMap((sentence) => {
    const mark = END_MARK.exec(sentence)?.[0] ?? '';
    const isQuestion = mark.includes('?');
    const statement = sentence.slice(0, sentence.length - mark.length);
    return splitClauses(statement, 'request').map((clause) => ({ text: clause.trim(), isQuestion }));
  });
}

function removeOthersWords(content: string): string {
  return content
    .replaceAll(CODE, CUT)
    .replaceAll(FORWARDED, CUT)
    .replaceAll(DOUBLE_QUOTED, (_quoted, inner: string) => (QUOTED_NAME.test(inner) ? inner : CUT))
    .replace(UNCLOSED_QUOTE, CUT)
    .replaceAll(SINGLE_QUOTED, (_quoted, before: string) => before + CUT);
}
