import type { webcrypto } from 'node:crypto';
import { type HashStrategy, NodeCryptoHashStrategy, WebCryptoHashStrategy } from './hash-strategy.js';

/** Options of the choice between the two hash implementations. */
export interface HashStrategyOptions {
  readonly preferWebCrypto: boolean;
  /** The host's WebCrypto; `null`: there is none. The global one by default. */
  readonly webCrypto?: Pick<webcrypto.Crypto, 'subtle'> | null;
}

/** WebCrypto where it is preferred and present, Node's crypto otherwise. */
export function selectHashStrategy(options: HashStrategyOptions): HashStrategy {
  const webCrypto = options.webCrypto === undefined ? globalThis.crypto : options.webCrypto;
  if (options.preferWebCrypto && webCrypto?.subtle) return new WebCryptoHashStrategy(webCrypto.subtle);
  return new NodeCryptoHashStrategy();
}
