export { fitBudget } from './fit-budget.js';
export type { FittedItems } from './fit-budget.js';
export { calibrateCosine, calibrateLexical, fuseRelevance } from './relevance.js';
export { renderBullet } from './render-bullet.js';
export type { BulletInput } from './render-bullet.js';
export { inverseDocumentFrequency } from '../lexical/inverse-document-frequency.js';
export { scoreBm25 } from './score-bm25.js';
export type { CorpusStatistics, TermMatch } from './score-bm25.js';
