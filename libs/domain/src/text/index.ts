export { analyzeTerms, stem } from './analyze-terms.js';
export type { TermAnalysis } from './analyze-terms.js';
export { MONTHS, renderDay, renderMonth } from './months.js';
export { resolveDates } from './resolve-dates.js';
export type { ResolvedDate } from './resolve-dates.js';
export { splitWords } from './split-words.js';
export { makeStorable } from './storable-text.js';
export { TRUNCATION_SUFFIX, truncateText } from './truncate-text.js';
