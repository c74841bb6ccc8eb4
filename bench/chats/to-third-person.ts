/** Longer forms first: "do I" is replaced before "I". */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\bdo (?:I|we)\b/giu, 'does the user'],
  [/\bhave (?:I|we)\b/giu, 'has the user'],
  [/\b(?:am I|are we)\b/giu, 'is the user'],
  [/\bwere we\b/giu, 'was the user'],
  [/\b(?:I've|we've)\b/giu, 'the user has'],
  [/\b(?:I'm|we're)\b/giu, 'the user is'],
  [/\b(?:I'd|we'd)\b/giu, 'the user would'],
  [/\b(?:my|our|mine|ours)\b/giu, "the user's"],
  [/\b(?:I|we|me|us|myself)\b/giu, 'the user'],
  [/\bdo you\b/giu, 'does the assistant'],
  [/\bhave you\b/giu, 'has the assistant'],
  [/\byour\b/giu, "the assistant's"],
  [/\byou\b/giu, 'the assistant'],
];

/**
 * The question in the same words, about "the user" and "the assistant": "What did I tell you?" becomes "What did the user
 * tell the assistant?". Isolates what the person costs in recall, since a paraphrase also has other words.
 */
export function toThirdPerson(question: string): string {
  const replaced = REPLACEMENTS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), question);
  return replaced.charAt(0).toUpperCase() + replaced.slice(1);
}
