export { makeStorable } from './storable-text.js';
export { TRUNCATION_SUFFIX, truncateText } from './truncate-text.js';
