/** What follows "the user" where that is part of a thing's name: "the user interface", "the user's guide". */
const THINGS_OF_USERS =
  ' (?:accounts?|agents?|bases?|data|experience|feedback|flows?|groups?|guides?|ids?|inputs?|interfaces?|interviews?|' +
  "manuals?|models?|names?|profiles?|research|roles?|sessions?|stor(?:y|ies)|tables?|tests?)\\b|['’]s (?:guide|manual)\\b";
/** Before "the user", what follows is a verb: "What did the user name their dog?". */
const AUXILIARIES = '(?:did|does|had|has|will|would|can|could|should)';
const THE_USER = `\\b(?:(?<=\\b${AUXILIARIES} )(?:the|this) user\\b|(?:the|this) user\\b(?!${THINGS_OF_USERS}))`;
const THE_ASSISTANT =
  '\\bthe (?:AI )?(?:assistant|chatbot)\\b(?! (?:coach|director|editor|manager|principal|professor)\\b)';

const HAS_USER = new RegExp(THE_USER, 'iu');

type Replacement = readonly [pattern: RegExp, word: string];
const OF_ASSISTANT: readonly Replacement[] = [
  [new RegExp(`${THE_ASSISTANT}['’]s\\b`, 'giu'), 'your'],
  [new RegExp(THE_ASSISTANT, 'giu'), 'you'],
];
const OF_USER: readonly Replacement[] = [
  [new RegExp(`${THE_USER}['’]s\\b`, 'giu'), 'my'],
  [new RegExp(THE_USER, 'giu'), 'I'],
  // Whom "they" means, once the question has named nobody but the user.
  [/\btheirs?\b/giu, 'my'],
  [/\bthey\b/giu, 'I'],
  [/\b(?:them|themselves)\b/giu, 'me'],
];

/**
 * A question about "the user" and "the assistant", as agents ask it, with the pronouns that these two would use: "What did
 * the assistant tell the user about their garden?" becomes "What did you tell I about my garden?". To be analysed, not
 * shown: cases and verbs are not adapted.
 */
export function resolvePersons(question: string): string {
  const replacements = HAS_USER.test(question) ? [...OF_ASSISTANT, ...OF_USER] : OF_ASSISTANT;
  return replacements.reduce((text, [pattern, word]) => text.replace(pattern, word), question);
}
