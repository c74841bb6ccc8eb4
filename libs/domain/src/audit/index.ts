export { chainHash, contentHmac, GENESIS_HASH, verifyChain } from './chain.js';
export type { ChainedFields, ChainRow, ChainVerdict } from './chain.js';
