import { type FailedAuthentication, ProblemError } from '@annals/contracts';
import type { Clock } from '@annals/domain';
import { CLOCK, DATABASE } from '@annals/runtime';
import { type Database, findApiKey, hashApiKey } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { KeyCache } from './key-cache.js';
import { parseBearer } from './key-text.js';
import type { Principal } from './principal.js';
import { RequestLimits } from './request-limits.js';

@Injectable()
export class Authenticator {
  private readonly pending = new Map<string, Promise<Principal | null>>();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(KeyCache) private readonly cache: KeyCache,
    @Inject(RequestLimits) private readonly limits: RequestLimits,
  ) {}

  /** Throws `unauthenticated`, or `rate_limited` for an address with too many failed attempts. */
  async authenticate(authorization: string | undefined, address: string): Promise<Principal> {
    const key = parseBearer(authorization);
    if (key === null)
      throw await this.refuse(address, 'Send an API key: Authorization: Bearer <key>.', { reason: 'missing' });
    const hash = hashApiKey(key);
    const principal = await this.findPrincipal(hash, address);
    if (!principal) throw await this.refuse(address, 'The API key is unknown or was revoked.', { reason: 'unknown' });
    if (principal.expiresAt !== null && principal.expiresAt <= this.clock.now()) {
      const { keyId, tenantId } = principal;
      throw await this.refuse(address, 'The API key has expired.', { reason: 'expired', keyId, tenantId });
    }
    return principal;
  }

  private async findPrincipal(hash: Buffer, address: string): Promise<Principal | null> {
    const name = hash.toString('base64');
    const cached = this.cache.find(name);
    if (cached !== undefined) return cached;
    if (!this.cache.isKnownGood(name)) await this.limits.checkAddress(address);
    let pending = this.pending.get(name);
    if (!pending) {
      pending = this.cache.load(name, () => this.loadPrincipal(hash)).finally(() => this.pending.delete(name));
      this.pending.set(name, pending);
    }
    return pending;
  }

  private async loadPrincipal(hash: Buffer): Promise<Principal | null> {
    const key = await findApiKey(this.database, hash);
    if (!key) return null;
    const { keyId, tenantId, scopes, operator, agentId, userId, categories, expiresAt } = key;
    return { keyId, tenantId, scopes, operator, bindings: { agentId, userId, categories }, expiresAt };
  }

  /** Counts and describes a failed attempt, also with what is no API key. Throws `rate_limited` after too many. */
  async refuse(address: string, detail: string, authentication: FailedAuthentication): Promise<ProblemError> {
    await this.limits.checkAddress(address);
    await this.limits.countFailure(address);
    return new ProblemError('unauthenticated', detail, { authentication });
  }
}
