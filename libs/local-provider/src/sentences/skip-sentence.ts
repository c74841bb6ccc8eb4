const QUESTION_START =
  /^(?:(?:what|how|why|who|whose|whom|where|which)\b|(?:do|does|did|can|could|would|will|are|is|was|were|have|has|should|shall|may|am)(?: not)? (?:you|i|we|they|he|she|it|the|your|that|this|these|those|there|any|anyone|my)\b)/i;
const ENDS_AS_QUESTION = /\?[\s"'”’)!?.\p{Extended_Pictographic}]*(?:\[[^\]]*\]\s*)*$/u;
const UNCERTAIN =
  /\b(?:if|unless|wish(?:ed)?|suppose|supposing|imagin(?:e|ing)|pretend(?:ing)?|(?:would|could|should|might) have|might|(?<!\d |\d(?:st|nd|rd|th) |\b(?:in|by|on|of|since|until|last|next|this|early|late|mid|from|to) )may(?! \d)|maybe|perhaps|apparently|supposedly|allegedly|reportedly|presumably|rumou?rs?|they say|people say|(?:he|she|they|someone|somebody|people) (?:said|says|told|claims?|claimed)|heard that|(?:not|never) sure|no idea|just kidding|jk|hypothetically)\b/i;
const GUESSING =
  /\bI (?:\w+ly )?(?:guess|bet|assume|suppose|wonder|doubt|think|thought|believe|figure|reckon|feel like|felt like|seem|heard|hear)\b/i;
const QUOTED_SPEAKER = /["“][^"”]*\b(?:I|me|my|we|our|us)\b[^"”]*["”]/;
const CODE_LIKE = /[{}<>]|=>|`|\\|\b[\w-]+\/[\w-]+\/|[|#@$%^&*+=]{2,}|\w{40,}/;

/** Longer "sentences" are pasted text or lists; rules made for speech read them badly. */
export const MAX_SENTENCE_LENGTH = 400;

export function isQuestion(sentence: string): boolean {
  return ENDS_AS_QUESTION.test(sentence);
}

/** Opens like a question, also where the mark was left out. */
export function opensAsQuestion(statement: string): boolean {
  return QUESTION_START.test(statement);
}

/** Hypotheticals, hearsay and guesses: what the speaker does not vouch for. */
export function isUncertain(clause: string): boolean {
  return UNCERTAIN.test(clause) || GUESSING.test(clause);
}

const SUPPOSED = /^(?:if|unless|in case|suppose|supposing|imagine|assuming)\b/i;
const JOKE = /\b(?:just kidding|only joking|just joking|jk)\b/i;

/** A condition in front of the sentence, or a joke, is so for all of its clauses. */
export function isSupposed(statement: string): boolean {
  return SUPPOSED.test(statement) || JOKE.test(statement);
}

/** Somebody else's first person, or text that is not prose. */
export function isForeignText(sentence: string): boolean {
  return QUOTED_SPEAKER.test(sentence) || CODE_LIKE.test(sentence);
}
