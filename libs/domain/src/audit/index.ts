export { chainHash, contentHmac, GENESIS_HASH } from './chain.js';
export type { ChainedFields } from './chain.js';
export { ChainVerifier } from './chain-verifier.js';
export type { ChainEnd, HistoryLink, LinkFault } from './chain-verifier.js';
export { verifyHeadsSignature, signHeads } from './heads.js';
export { verifyReceiptSignature, signReceipt } from './receipt.js';
export type { ReceiptFields } from './receipt.js';
