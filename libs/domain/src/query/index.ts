export { fitBudget } from './fit-budget.js';
export type { FittedItems } from './fit-budget.js';
export { calibrateCosine, calibrateLexical, fuseRelevance } from './relevance.js';
export { renderBullet, renderDay } from './render-bullet.js';
export type { BulletInput } from './render-bullet.js';
export { inverseDocumentFrequency, scoreBm25 } from './score-bm25.js';
export type { CorpusStatistics, TermMatch } from './score-bm25.js';
