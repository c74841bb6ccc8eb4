export { annotateDates } from './dates/annotate-dates.js';
export { listFewAgo } from './dates/few-ago.js';
export { renderDate } from './dates/render-date.js';
export { renderDay, renderIsoDay, renderMonth } from './dates/render-day.js';
export { resolveDates, type ResolvedDate } from './dates/resolve-dates.js';
export { moveOpeningBehind, splitClauses } from './clauses/split-clauses.js';
export { splitCompound } from './clauses/split-compound.js';
export { splitSentences } from './sentences/split-sentences.js';
export type { FactToken } from './facts/fact-tokens.js';
export type { Negation } from './facts/list-negations.js';
export { readStatedFacts, type StatedFacts } from './facts/read-stated-facts.js';
export { readAskedRole } from './questions/read-asked-role.js';
export { resolvePersons } from './questions/resolve-persons.js';
export { type Ending, readEnding } from './tense/read-ending.js';
export { toBaseForm } from './tense/base-form.js';
export { opensAsCorrection } from './tense/opens-as-correction.js';
export { speaksOfPast } from './tense/speaks-of-past.js';
export { createOwnWordsReader, type SaidMessage } from './own-words/read-conversation.js';
export { readOwnWords } from './own-words/read-own-words.js';
export { describesHabit } from './tense/detect-tense.js';
export { isPresentTense, PAST_FORMS, UNCHANGED_PAST_FORMS } from './tense/past-forms.js';
export { readTypedValue, type TypedValue } from './values/typed-value.js';
export { isLikelyEnglish } from './words/is-likely-english.js';
export { readScaledWord, type ScaledWord } from './words/opposites.js';
export { analyzeTerms, stem } from './words/analyze-terms.js';
export { splitWords } from './words/split-words.js';
export { MONTHS, NUMBER_WORDS, STOP_WORDS } from './words/word-lists.js';
export {
  findSensitiveSubjects,
  SENSITIVE_SUBJECTS,
  type SensitiveSubject,
} from './sensitive/find-sensitive-subjects.js';
