const FINITE =
  '(?:is|are|was|were|has|have|had|does|do|did|will|can|could|would|lives?|works?|loves?|likes?|hates?|plays?|got|went|came|just|also|wants?|needs?|told|gave|said|made|took|helped|started|turned|moved|called|goes|gets)';
const OWN_PHRASE = String.raw`my(?: [\w'-]+){1,3}? ${FINITE}\b`;
const PRONOUN =
  '(?:I|we|it|that|this|they|he|she|you|there|these|those|something|someone|everyone|everything|nothing)\\b';
/** White space, with a comma or without; a match begins where the run does, so that a long run takes linear time. */
const GAP = String.raw`(?:,|(?<!\s))\s+`;
const COMMA = String.raw`,\s+`;

/**
 * `statement`: before every new subject. `request`: only where a conjunction is followed by the first person or by a
 * request, so that "Call me Ishmael, she said" stays together.
 */
export type ClauseKind = 'statement' | 'request';

const BOUNDARIES: Readonly<Record<ClauseKind, RegExp>> = {
  statement: new RegExp(
    [
      String.raw`[;:]\s+|[—–]|(?<!\s)\s+-+\s+|(?<!\.)\.{2,}|…`,
      String.raw`${GAP}(?:and|but|so|plus|yet|&)\s+(?:then |also |now |yes |yeah |honestly |actually )?(?!that\s+(?:I|we)\b)(?=${PRONOUN}|${OWN_PHRASE})`,
      String.raw`${COMMA}(?:but|so)\s+(?!not\b|that\b)`,
      String.raw`${GAP}and\s+(?=(?:the|all|both) (?:[\w'-]+ ){1,4}?(?:is|are|was|were)\b)`,
      String.raw`${GAP}(?:and|but|so)\s+(?=(?:what|how|who|why|let us|let's|thanks|thank|am|are|can not|will|would|hope|hopefully|check|look|feel free)\b)`,
      String.raw`${COMMA}(?=(?:${PRONOUN}|which\b|what\b|thanks\b|thank\b|let's\b|let us\b|especially when\b|check\b|look\b|hope\b|hoping\b|can not\b)|${OWN_PHRASE})`,
      String.raw`${COMMA}(?:just|even)\s+(?=like\b|though\b)`,
    ].join('|'),
    'g',
  ),
  request: new RegExp(
    String.raw`${GAP}(?:and|but|so|also)\s+(?=(?:i|i['’]m|my|please|you can|you may|call|don['’]t|do not|never|stop|forget)\b)`,
    'giu',
  ),
};

/** "When I was ten, I …", "Last week, we …": what stands before the comma belongs to the clause after it. */
const OPENING =
  /^(?:when|while|after|before|since|during|in|on|at|as|for|last|this|next|yesterday|today|tomorrow|tonight|once|every|growing up|back|although|even though|though|with|despite|over|a few|a couple|\w+ (?:day|week|month|year)s? ago|recently|lately|currently|these days|nowadays|sometimes|usually|normally|whenever|one (?:day|time)|earlier|later|until|starting|ever since|around|by|now|also|the other day|outside of|besides|apart from|other than)\b/i;

/** The parts of a sentence that each have a subject of their own, or a request. */
export function splitClauses(sentence: string, kind: ClauseKind): string[] {
  const clauses: string[] = [];
  let start = 0;
  for (const match of sentence.matchAll(BOUNDARIES[kind])) {
    const text = sentence.slice(start, match.index);
    if (kind === 'statement' && (isOpening(text, match[0]) || isCompanion(text, match))) continue;
    clauses.push(text);
    start = match.index + match[0].length;
  }
  clauses.push(sentence.slice(start));
  return clauses.filter((clause) => clause.trim() !== '');
}

function isOpening(text: string, joint: string): boolean {
  return joint.trim() === ',' && OPENING.test(text) && !text.includes(',');
}

const COMPANION =
  /^(?:(?:last|this|next|yesterday|today|on|in|the other|earlier|recently|then)\b[^,]{0,25},? )?(?:my(?: [\w'-]+){1,3}(?:, \p{Lu}[\p{L}'-]+)?|\p{Lu}[\p{L}'-]+(?: and \p{Lu}[\p{L}'-]+)?)$/iu;

/** "My sister and I went …": the "and" joins two people, not two clauses. */
function isCompanion(text: string, { 0: joint, index, input }: RegExpExecArray): boolean {
  return (
    /^\s+and\s+$/.test(joint) && COMPANION.test(text.trim()) && /^(?:I|me)\b/.test(input.slice(index + joint.length))
  );
}

const OWN_SUBJECT = '(?=(?:I|we|We|My|my)\\b)';
const CONJUNCTION = '(?:when|while|after|before|since|as|once|although|even though|though|until|ever since|whenever)';
/** A clause needs its comma to show where it ends; a phrase ("last week", "in May") does without. */
const OPENING_CLAUSE = new RegExp(`^${CONJUNCTION}\\b[^,]{3,70},\\s*${OWN_SUBJECT}`, 'i');
const OPENING_PHRASE = new RegExp(
  `^(?!${CONJUNCTION} (?:I|we|my)\\b)${OPENING.source.slice(1)}[^,]{0,70}?(?:,\\s*|\\s+)${OWN_SUBJECT}`,
  'i',
);

/** Moves what opens a clause behind it: "Last week I ran" → "I ran last week". */
export function moveOpeningBehind(clause: string): string {
  const match = OPENING_CLAUSE.exec(clause) ?? OPENING_PHRASE.exec(clause);
  if (!match) return clause;
  const opening = match[0].replace(/[,\s]+$/, '');
  const main = clause.slice(match[0].length);
  if (/^(?:also|now|back)$/i.test(opening)) return main;
  return `${main} ${lowerCaseFirst(opening)}`;
}

function lowerCaseFirst(text: string): string {
  return /^(?:I\b|\p{Lu}{2})/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
