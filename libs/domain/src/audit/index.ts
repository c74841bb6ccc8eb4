export { chainHash, contentHmac, GENESIS_HASH } from './chain.js';
export type { ChainedFields } from './chain.js';
export { CHAIN_START, ChainWalk } from './chain-walk.js';
export type { ChainEnd, HistoryLink, LinkFault } from './chain-walk.js';
export { areHeadsGenuine, signHeads } from './heads.js';
export { isReceiptGenuine, signReceipt } from './receipt.js';
export type { ReceiptFields } from './receipt.js';
