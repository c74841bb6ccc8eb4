import { hash, type webcrypto } from 'node:crypto';

/** Stored beside each hash (docs/reference/memory-model.md#hash-version). */
export const HASH_VERSION = 'v1.3.0';

const WHITESPACE_RUN = /\s+/g;
const FORMAT_OR_CONTROL = /[\p{Cf}\p{Cc}]/gu;
const SENTENCE_PUNCTUATION = '.!?,;:';

/**
 * The normal form of a memory's content that duplicates share: seven steps in exactly this order, then trim
 * (docs/reference/memory-model.md#content-hash). One pass is the definition, not a fixed point: a second one changes
 * the text where a later step creates input for an earlier one. Removing a Cf/Cc character (step 5) brings together two
 * spaces or a letter and its combining mark; stripping the trailing run (step 6) uncovers an earlier run ("a! .");
 * lower-casing (step 2) gives a sequence that NFKC (step 1) would compose or reorder.
 */
export function normalizeContent(content: string): string {
  const spaced = content.normalize('NFKC').toLowerCase().trim().replace(WHITESPACE_RUN, ' ');
  return stripTrailingPunctuation(spaced.replace(FORMAT_OR_CONTROL, '')).trim();
}

// A backward loop, since /[.!?,;:]+$/ takes quadratic time on a long inner run of punctuation.
function stripTrailingPunctuation(text: string): string {
  let end = text.length;
  while (end > 0 && SENTENCE_PUNCTUATION.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** All implementations give the same (docs/reference/memory-model.md#hash-strategies-give-the-same-hash). */
export interface HashStrategy {
  /** The seven normalisation steps. */
  normalize(content: string): string;
  /** SHA-256 of the UTF-8 form as 64 lower-case hex digits. A lone surrogate counts as U+FFFD. */
  hash(normalized: string): Promise<string>;
}

export class WebCryptoHashStrategy implements HashStrategy {
  constructor(private readonly subtle: webcrypto.SubtleCrypto = globalThis.crypto.subtle) {}

  readonly normalize = normalizeContent;

  async hash(normalized: string): Promise<string> {
    const digest = await this.subtle.digest('SHA-256', new TextEncoder().encode(normalized));
    return Buffer.from(digest).toString('hex');
  }
}

export class NodeCryptoHashStrategy implements HashStrategy {
  readonly normalize = normalizeContent;

  hash(normalized: string): Promise<string> {
    return Promise.resolve(hashNormalized(normalized));
  }
}

/** The same hash without a promise, for bulk use: normalises and hashes `content`. */
export function hashContent(content: string): string {
  return hashNormalized(normalizeContent(content));
}

function hashNormalized(normalized: string): string {
  return hash('sha256', normalized, 'hex');
}

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
