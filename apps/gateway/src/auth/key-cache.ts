import { LRUCache } from 'lru-cache';
import type { Principal } from './principal.js';

/** A revoked key works for so long in other processes. */
const TTL_MS = 5_000;
const CACHED_KEYS = 20_000;
/** How long a key that worked once is spared the limit on failed attempts of its address. */
const KNOWN_GOOD_MS = 3_600_000;

interface Entry {
  readonly principal: Principal | null;
}

/** Remembers who a key belongs to, and which keys belong to nobody, under the hash of the key. */
export class KeyCache {
  private readonly entries: LRUCache<string, Entry>;
  private readonly knownGood: LRUCache<string, true>;
  private epoch = 0;

  constructor(clock: { now(): number }) {
    this.entries = new LRUCache({ max: CACHED_KEYS, ttl: TTL_MS, ttlResolution: 0, perf: clock });
    this.knownGood = new LRUCache({ max: CACHED_KEYS, ttl: KNOWN_GOOD_MS, ttlResolution: 0, perf: clock });
  }

  /** Undefined when nothing is known; null when the key belongs to nobody. */
  find(hash: string): Principal | null | undefined {
    return this.entries.get(hash)?.principal;
  }

  isKnownGood(hash: string): boolean {
    return this.knownGood.has(hash);
  }

  /** Looks a key up and remembers the answer, unless a key was revoked in the meantime. */
  async load(hash: string, lookUp: () => Promise<Principal | null>): Promise<Principal | null> {
    const { epoch } = this;
    const principal = await lookUp();
    if (this.epoch !== epoch) return principal;
    this.entries.set(hash, { principal });
    if (principal) this.knownGood.set(hash, true);
    return principal;
  }

  /** Forgets a key at once, here; other processes learn of it within 5 s. */
  forgetKey(keyId: string): void {
    this.forgetWhere((principal) => principal.keyId === keyId);
  }

  /** Forgets all keys of a tenant. */
  forgetTenant(tenantId: string): void {
    this.forgetWhere((principal) => principal.tenantId === tenantId);
  }

  private forgetWhere(matches: (principal: Principal) => boolean): void {
    this.epoch += 1;
    for (const [hash, { principal }] of this.entries.entries()) {
      if (!principal || !matches(principal)) continue;
      this.entries.delete(hash);
      this.knownGood.delete(hash);
    }
  }
}
