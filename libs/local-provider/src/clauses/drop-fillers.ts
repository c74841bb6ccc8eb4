const FILLER =
  '(?:just|actually|really|totally|absolutely|definitely|honestly|literally|basically|simply|truly|genuinely|super|seriously|certainly|obviously|personally|also|even|totes|legit|so|recently just)';
const AT_START = new RegExp(`^(?:${FILLER} )+(?!(?:that|much|many)\\b)`, 'i');
const AFTER_AUXILIARY = new RegExp(
  `^((?:am|have|has|was|had|is|are|were|do|did|will|would|can)) (?:${FILLER} )+(?!(?:that|much|many|far|called)\\b)`,
  'i',
);
const TAIL =
  /(?:,? (?:and|so|but|as well|too|haha+|lol|anyway|honestly|again|already|actually|for sure|though|and all|and stuff|and everything|or something|you know|at all|so far|so much|a lot lately|right now|at the moment|these days))+$/i;
const WITH_ME = / with me\b(?! and)/i;

/** The predicate without words that only add colour, so that the same fact reads the same each time. */
export function dropFillers(predicate: string): string {
  return predicate
    .replace(AT_START, '')
    .replace(AFTER_AUXILIARY, '$1 ')
    .replace(TAIL, '')
    .replace(/[\s,;:]+$/, '');
}

/** "I took my dog with me" says no more than "I took my dog" once somebody else tells it. */
export function dropWithMe(predicate: string): string {
  return predicate.replace(WITH_ME, '');
}
