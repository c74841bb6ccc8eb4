import { type SentenceCosts, UNKNOWN_COST } from '@annals/domain';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** About 50,000 long turns. */
const MAX_BYTES = 24 * 1_024 * 1_024;
/** A text with more sentences is cut rarely, and would displace hundreds of others. */
const MAX_ENTRY_BYTES = 16 * 1_024;
/** Key, array and the place in the cache. */
const ENTRY_BYTES = 256;

/**
 * The costs of sentences that queries of this process have counted, least recently used ones dropped first. It holds
 * hashes and numbers, no words, so nothing of it has to go when a person is erased; and who has a key has the text, so
 * one cache serves all tenants.
 */
@Injectable()
export class KnownCosts implements SentenceCosts {
  private readonly entries = new LRUCache<string, Int32Array>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_ENTRY_BYTES,
    sizeCalculation: ({ byteLength }) => ENTRY_BYTES + byteLength,
  });

  of(key: string, sentences: number): Int32Array {
    const known = this.entries.get(key);
    if (known) return known;
    const costs = new Int32Array(sentences).fill(UNKNOWN_COST);
    this.entries.set(key, costs);
    return costs;
  }
}
