import { createHash, type webcrypto } from 'node:crypto';
import { normalizeContent } from './normalize-content.js';

/**
 * A way to hash content (docs/reference/memory-model.md#hash-strategies-give-the-same-hash); all implementations give
 * identical results.
 */
export interface HashStrategy {
  /** The seven normalisation steps. */
  normalize(content: string): string;
  /** SHA-256 of the UTF-8 form as 64 lower-case hex digits. A lone surrogate counts as U+FFFD. */
  hash(normalized: string): Promise<string>;
}

/** SHA-256 through `crypto.subtle`. */
export class WebCryptoHashStrategy implements HashStrategy {
  constructor(private readonly subtle: webcrypto.SubtleCrypto = globalThis.crypto.subtle) {}

  normalize(content: string): string {
    return normalizeContent(content);
  }

  async hash(normalized: string): Promise<string> {
    const digest = await this.subtle.digest('SHA-256', new TextEncoder().encode(normalized));
    return Buffer.from(digest).toString('hex');
  }
}

/** SHA-256 through Node's `createHash`. */
export class NodeCryptoHashStrategy implements HashStrategy {
  normalize(content: string): string {
    return normalizeContent(content);
  }

  hash(normalized: string): Promise<string> {
    return Promise.resolve(hashNormalized(normalized));
  }
}

/** The same hash without a promise, for bulk use: normalises and hashes `content`. */
export function hashContent(content: string): string {
  return hashNormalized(normalizeContent(content));
}

function hashNormalized(normalized: string): string {
  return createHash('sha256').update(normalized, 'utf8').digest('hex');
}
