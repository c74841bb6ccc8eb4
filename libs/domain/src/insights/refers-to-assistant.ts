const ASSISTANT = /(?<!\p{L})(?:AI|assistants?|chat ?bots?|bots?|language models?|LLMs?|agents?)(?!\p{L})/iu;
const PRONOUN =
  /(?<!\p{L})(?:its?|itself|he|him|his|himself|she|hers?|herself|they|them|theirs?|themselves)(?!\p{L})/iu;
/** "Trusts it", where nothing was named before that "it" could mean. */
const DONE_TO_IT =
  /^(?<before>.{0,200}?)(?<!\p{L})(?:trust(?:s|ed|ing)?|rel(?:y|ies|ied|ying) on|confid(?:es?|ed|ing) in|(?:talk|speak|spoke|open|listen|turn|writ|return)\p{L}* (?:up |back )?to|thank(?:s|ed|ing)?|ask(?:s|ed|ing)?|believ(?:es?|ed|ing)|depend(?:s|ed|ing)? on|(?:attached|grateful) to|(?:annoyed|disappointed|frustrated|impressed) (?:by|with|at|in)|correct(?:s|ed|ing)?|doubt(?:s|ed|ing)?|likes?|tests?) (?:it|itself)(?!\p{L})/iu;
const NAMED_BEFORE =
  /(?<!\p{L})(?:the|an?|this|that|these|those|each|every|whose|\p{L}+['’]s|of|about|on|for|with) \p{L}/iu;
const OPENING = /^(?:the )?\p{L}+\s/iu;

/** Whether a pronoun of an insight stands for the assistant (docs/reference/insights.md#form-of-an-insight). */
export function refersToAssistant(summary: string): boolean {
  const assistant = ASSISTANT.exec(summary);
  if (assistant && PRONOUN.test(summary.slice(assistant.index + assistant[0].length))) return true;
  const before = DONE_TO_IT.exec(summary)?.groups?.['before'];
  return before !== undefined && !NAMED_BEFORE.test(before.replace(OPENING, ''));
}
