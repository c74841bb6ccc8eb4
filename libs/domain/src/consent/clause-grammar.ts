/** Words that introduce a sentence without being part of its meaning. */
const LEAD = new RegExp(
  `^(?:(?:ok(?:ay)?|yes|yeah|yep|sure|well|oh|hi|hello|hey|actually|also|thanks|thank you|right|all ?right|great|` +
    `perfect|by the way|btw|fyi|so|and|but|no|exactly|correct|of course)(?:[,!.–—-]+\\s*|\\s+|$))+`,
  'iu',
);
/** What may follow the value of a request without changing it. */
const REQUEST_TAIL =
  /^[,\s]*(?:(?:please|thanks|thank you|from now on|instead|for short|then|ok(?:ay)?|if you (?:like|want|prefer|please)|if you don['’]t mind|in (?:this|our) (?:chats?|conversations?)|always|now|any ?more|again|any longer|in (?:the )?future|for me|pronouns?|when (?:you )?(?:talk|speak|write)(?:ing)? (?:to|about|of) me|right|you know)\b[,\s]*)*$/iu;

/** What may follow the value of a statement about oneself. */
const STATEMENT_TAIL =
  /^(?:[,:)–—-].*|(?:now|with|since|for|because|these days|and|at|near|right now|currently|where|which|from|until|again|though|by|on|last|this|next|too|here|as|in|when|after|a few|two|three|\d+)\b.*)?$/iu;

/** A clause without its introduction: a greeting, a yes, a thank you. */
export function stripLeadIn(clause: string): string {
  return clause.slice(LEAD.exec(clause)?.[0].length ?? 0).trim();
}

export function isRequestEnd(rest: string): boolean {
  return REQUEST_TAIL.test(rest);
}

export function isStatementEnd(rest: string): boolean {
  return STATEMENT_TAIL.test(rest);
}
