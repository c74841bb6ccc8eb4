const TOLD = 'advised|given|instructed|offered|proposed|recommended|reminded|shown|suggested|taught|told|warned';
const SAID =
  `${TOLD}|answered|calculated|described|designed|drafted|drew|explained|favou?red|gave|invented|laid out|listed|made|` +
  'mentioned|named|outlined|planned|preferred|prepared|said|set out|showed|sketched|wrote|written';
const ADVICE = new RegExp(
  '\\b(?:advice|answer|choice|explanation|guidance|idea|information|instruction|list|method|option|plan|recipe|' +
    'recommendation|rule|schedule|step|suggestion|tip|trick)s?\\b',
  'iu',
);

const YOU_SAID: readonly RegExp[] = [
  /\b(?:did|had) you\b/iu,
  new RegExp(`\\bhave you (?:\\w+ )?(?:${SAID})\\b`, 'iu'),
  new RegExp(`\\byou(?:['’]ve|['’]d| have| had)? (?:(?:already|also|just|once|\\w+ly) )?(?:${SAID})\\b`, 'iu'),
  /\baccording to you\b/iu,
  // Not "How long should your answers be?".
  new RegExp(`(?<!\\b(?:can|could|must|should|will|would) )\\byour (?:\\w+ )?${ADVICE.source}`, 'iu'),
  new RegExp(`\\b(?:was|were|been) I (?:${TOLD})\\b|\\bI (?:was|were|had been|have been) (?:${TOLD})\\b`, 'iu'),
  // Not "How should it be explained to me?".
  new RegExp(`(?<!\\bbe )\\b(?:${SAID}) (?:to|for) (?:I|me|us)\\b`, 'iu'),
];
const RECEIVED = /\b(?:did|have) I (?:get|got|hear|heard|receive|received)\b/iu;
/** The user's own rule or news, or what the assistant said. */
const OF_EITHER =
  /\b(?:must|ought|should|shall) (?:I|we) (?!consider\b|know\b|remember\b|tell\b)|\bdid I (?:hear|receive)\b/iu;
const OF_ME = /\b(?:I|me|my|mine|myself|our|ours|us|we)\b/iu;
/** What to suggest depends on what the user has said. */
const REQUEST = /\b(?:can|could|will|would) you\b/iu;

/**
 * Whose messages a question is about, by its form: `assistant` for "What did you suggest …?", "Was I told …?", "your advice
 * on …"; `user` for "What is my …?" and for requests, "Can you suggest …?"; null where it may be either or none. "The user"
 * is read by `resolvePersons` first.
 */
export function readAskedRole(question: string): 'user' | 'assistant' | null {
  if (YOU_SAID.some((form) => form.test(question))) return 'assistant';
  if (RECEIVED.test(question) && ADVICE.test(question)) return 'assistant';
  if (OF_EITHER.test(question)) return null;
  return OF_ME.test(question) || REQUEST.test(question) ? 'user' : null;
}
