import { splitClauses, splitSentences } from '@annals/english';

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
/** Blanks of one line only: with line breaks, many empty lines would take quadratic time. */
const FORWARDED = /^[^\S\n]*>.*$/gm;

const END_MARK = /(?<![.!?…])[.!?…]+["'”’)\]]*$/u;

/** "1. Call me Max" */
const LIST_NUMBER = /^\d{1,2}\.\s+/;
/** A capital may end a sentence before a request: "I am in ward C. Forget my city." goes on as "J. Smith" does not. */
const REQUEST_AFTER_CAPITAL =
  /(?<=\p{Lu}\.)\s+(?=(?:I|I['’]m|My|Please|You (?:can|may)|Call|Don['’]t|Do not|Never|Stop|Forget)\b)/u;

/** The clauses of a message in its speaker's own words: without quotes, forwarded lines and code. */
export function listOwnClauses(content: string): Clause[] {
  const sentences = splitSentences(removeOthersWords(content), { semicolons: true });
  return sentences
    .flatMap((sentence) => sentence.replace(LIST_NUMBER, '').split(REQUEST_AFTER_CAPITAL))
    .flatMap((sentence) => {
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

/** Words that introduce a sentence without being part of its meaning. */
const LEAD_IN = new RegExp(
  `^(?:(?:ok(?:ay)?|yes|yeah|yep|sure|well|oh|hi|hello|hey|actually|also|thanks|thank you|right|all ?right|great|` +
    `perfect|by the way|btw|fyi|so|and|but|no|exactly|correct|of course)(?:[,!.–—-]+\\s*|\\s+|$))+`,
  'iu',
);
/** What may follow the value of a request without changing it. */
export const REQUEST_TAIL =
  /^[,\s]*(?:(?:please|thanks|thank you|from now on|instead|for short|then|ok(?:ay)?|if you (?:like|want|prefer|please)|if you don['’]t mind|in (?:this|our) (?:chats?|conversations?)|always|now|any ?more|again|any longer|in (?:the )?future|for me|pronouns?|when (?:you )?(?:talk|speak|write)(?:ing)? (?:to|about|of) me|right|you know)\b[,\s]*)*$/iu;

/** What may follow the value of a statement about oneself. */
export const STATEMENT_TAIL =
  /^(?:[,:)–—-].*|(?:now|with|since|for|because|these days|and|at|near|right now|currently|where|which|from|until|again|though|by|on|last|this|next|too|here|as|in|when|after|a few|two|three|\d+)\b.*)?$/iu;

/** A clause without its introduction: a greeting, a yes, a thank you. */
export function stripLeadIn(clause: string): string {
  return clause.slice(LEAD_IN.exec(clause)?.[0].length ?? 0).trim();
}
