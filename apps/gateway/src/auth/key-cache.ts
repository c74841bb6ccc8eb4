import type { Clock } from '@annals/domain';
import { CLOCK } from '@annals/runtime';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Principal } from './principal.js';

/** A key that was revoked in another process works for up to this long here. */
const TTL_MS = 5_000;
const CACHED_KEYS = 20_000;
/** How long a key that was valid once is exempt from the limit on failed attempts of its address. */
const KNOWN_GOOD_MS = 3_600_000;

interface Entry {
  readonly principal: Principal | null;
}

/** Caches the principal of each key, and which keys are unknown, by the hash of the key. */
@Injectable()
export class KeyCache {
  private readonly entries: LRUCache<string, Entry>;
  private readonly knownGood: LRUCache<string, true>;
  private epoch = 0;

  constructor(@Inject(CLOCK) clock: Clock) {
    this.entries = new LRUCache({ max: CACHED_KEYS, ttl: TTL_MS, ttlResolution: 0, perf: clock });
    this.knownGood = new LRUCache({ max: CACHED_KEYS, ttl: KNOWN_GOOD_MS, ttlResolution: 0, perf: clock });
  }

  /** Undefined when the key is not cached; null when it is known to be invalid. */
  find(hash: string): Principal | null | undefined {
    return this.entries.get(hash)?.principal;
  }

  isKnownGood(hash: string): boolean {
    return this.knownGood.has(hash);
  }

  /** Looks a key up and caches the result, unless a key was revoked in the meantime. */
  async load(hash: string, lookUp: () => Promise<Principal | null>): Promise<Principal | null> {
    const { epoch } = this;
    const principal = await lookUp();
    if (this.epoch !== epoch) return principal;
    this.entries.set(hash, { principal });
    if (principal) this.knownGood.set(hash, true);
    return principal;
  }

  /** Removes a key from this process's cache; the entries of other processes expire within 5 s. */
  forgetKey(keyId: string): void {
    this.forgetWhere((principal) => principal.keyId === keyId);
  }

  /** Of a key that this process has made: whoever uses it first must not wait for the failures of others at its address. */
  markKnownGood(hash: string): void {
    this.knownGood.set(hash, true);
  }

  /** Keys that are bound to a user, as after the erasure of the user. */
  forgetUser(tenantId: string, userId: string): void {
    this.forgetWhere((principal) => principal.tenantId === tenantId && principal.bindings.userId === userId);
  }

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
