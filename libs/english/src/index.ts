export { annotateDates, renderDate, renderDay, renderMonth } from './dates/render-date.js';
export { resolveDates, type ResolvedDate } from './dates/resolve-dates.js';
export { moveOpeningBehind, splitClauses } from './clauses/split-clauses.js';
export { splitSentences } from './sentences/split-sentences.js';
export { isPastTense, PAST_FORMS, UNCHANGED_PAST_FORMS } from './tense/past-forms.js';
export { analyzeTerms, stem } from './words/analyze-terms.js';
export { splitWords } from './words/split-words.js';
export { MONTHS, NUMBER_WORDS, STOP_WORDS } from './words/word-lists.js';
