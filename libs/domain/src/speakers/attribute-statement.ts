import { describeParticipant } from './describe-actor.js';
import type { Speaker } from './identify-speaker.js';

/** Words that a statement rests on, and who said them. */
export interface SpokenQuote {
  readonly speaker: Speaker;
  readonly quote: string;
}

/** `wrong`: the statement is about the user, but only another participant's words about themselves prove it. */
export type Attribution =
  { readonly outcome: 'kept' | 'wrong' } | { readonly outcome: 'corrected'; readonly content: string };

/** "The user" in the languages that models write it in; the article belongs to it. */
const THE_USER =
  /(?<![\p{L}\p{N}])(?:the user|(?:der|die|den|dem) (?:be)?nutzer(?:in)?|l['’]utilisat(?:eur|rice)|(?:el|la) usuari[oa]|[oa] usu[áa]ri[oa]|l['’]utente|de gebruiker)(?![\p{L}\p{N}])|^(?:пользователь|użytkownik|用户|用戶|ユーザー|사용자)/iu;
const ENGLISH_USER = /(?<![\p{L}\p{N}])(?<article>[Tt])he user(?![\p{L}\p{N}])/gu;
const FIRST_PERSON = /(?<![\p{L}\p{N}])(?:i|i['’](?:m|ve|d|ll)|me|my|mine|myself|we|us|our|ours)(?![\p{L}\p{N}])/iu;
const SECOND_PERSON = /(?<![\p{L}\p{N}])(?:you|your|yours|yourself|u)(?![\p{L}\p{N}])/iu;
const WITH_OTHERS = /(?<![\p{L}\p{N}])(?:we|us|our|ours)(?![\p{L}\p{N}])/iu;
/** An answer that proves nothing by itself. */
const ACKNOWLEDGEMENT =
  /^[\s\p{P}]*(?:(?:yes|yeah|yep|no|nope|ok(?:ay)?|sure|right|exactly|true|indeed|i see|thanks|thank you|great|nice|cool|wow|oh|really|good|same|lol|haha)[\s\p{P}]*)*$/iu;

/**
 * Whether a statement is about the person whose words it rests on (docs/reference/speakers.md#statements-of-others).
 * What another participant says about themselves is theirs: "The user lives in Berlin" from their "I live in Berlin" is
 * corrected by putting their name, or is wrong where that would change more. `userNames`: names that stand for the user.
 */
export function attributeStatement(
  content: string,
  quotes: readonly SpokenQuote[],
  userNames: readonly string[] = [],
): Attribution {
  const others = quotes.filter(({ speaker }) => !speaker.isUser);
  const own = quotes.filter(({ speaker }) => speaker.isUser);
  const isAsked = others.every(({ quote }) => /\?\s*$/u.test(quote));
  if (others.length === 0 || own.some(({ quote }) => isAsked || !ACKNOWLEDGEMENT.test(quote))) return KEPT;
  const labels = [...new Set(others.map(({ speaker }) => describeParticipant(speaker.actorId ?? '')))];
  const name = userNames.find((each) => content.startsWith(each) && !/^\p{L}/u.test(content.slice(each.length)));
  const userAt = name === undefined ? content.search(THE_USER) : 0;
  if (userAt < 0) return KEPT;
  const spokenOf = labels.map((label) => findWord(content, label)).filter((at) => at >= 0);
  // Named first, they are the subject; named later, they told what happened between them and the user.
  const tellsOfUser = ({ quote }: SpokenQuote) =>
    SECOND_PERSON.test(quote) || WITH_OTHERS.test(quote) || userNames.some((each) => findWord(quote, each) >= 0);
  if (spokenOf.some((at) => at < userAt) || (spokenOf.length > 0 && others.some(tellsOfUser))) return KEPT;
  const [label] = labels;
  const isAboutSpeaker = others.every(({ quote }) => FIRST_PERSON.test(quote) && !SECOND_PERSON.test(quote));
  if (labels.length > 1 || !isAboutSpeaker) return { outcome: 'wrong' };
  if (name !== undefined) return { outcome: 'corrected', content: label + content.slice(name.length) };
  const corrected = content.replace(ENGLISH_USER, (_said, article: string) =>
    article === 'T' ? label! : label!.replace(/^Another\b/u, 'another'),
  );
  return corrected === content ? { outcome: 'wrong' } : { outcome: 'corrected', content: corrected };
}

const KEPT: Attribution = { outcome: 'kept' };

/** Index of a name as a word of its own: "Sam" is not in "Samsung". Negative without one. */
export function findWord(text: string, name: string): number {
  const literal = name.replace(/[$()*+./?[\\\]^{|}]/gu, String.raw`\$&`);
  return text.search(new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'u'));
}
