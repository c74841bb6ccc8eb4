export { hashContent, NodeCryptoHashStrategy, WebCryptoHashStrategy } from './hash-strategy.js';
export type { HashStrategy } from './hash-strategy.js';
export { HASH_VERSION, normalizeContent } from './normalize-content.js';
export { selectHashStrategy } from './select-hash-strategy.js';
export type { HashStrategyOptions } from './select-hash-strategy.js';
