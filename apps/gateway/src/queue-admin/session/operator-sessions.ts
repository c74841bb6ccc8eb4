import { type Clock, readSystemRandomBytes } from '@annals/domain';
import { CLOCK, DATABASE, SECRETS, type Secrets } from '@annals/runtime';
import { type Database, isOperatorKeyValid } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Authenticator } from '../../auth/authenticator.js';
import { checkScope, type Principal } from '../../auth/principal.js';
import { RequestLimits } from '../../auth/request-limits.js';
import { formTokenOf, isEqual, openSession, type OperatorSession, sealSession } from './session-token.js';

export const SESSION_MS = 8 * 3_600_000;
/** As for keys themselves: a session of a key that was revoked works for up to this long. */
const KEY_TTL_MS = 5_000;
const CACHED_KEYS = 1_000;

/** Sessions of operators in the queue UI (docs/queue-ui.md#sessions). They are kept in cookies, not in a store. */
@Injectable()
export class OperatorSessions {
  private readonly secret: Buffer;
  private readonly valid: LRUCache<string, { readonly isValid: boolean }>;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SECRETS) secrets: Secrets,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(RequestLimits) private readonly limits: RequestLimits,
  ) {
    this.secret = secrets.queueSessions;
    this.valid = new LRUCache({ max: CACHED_KEYS, ttl: KEY_TTL_MS, ttlResolution: 0, perf: clock });
  }

  /** Whose key it is: any caller's. Throws `unauthenticated`, or `rate_limited` for an address that guesses. */
  async identify(key: string, address: string): Promise<Principal> {
    const caller = await this.authenticator.authenticate(`Bearer ${key}`, address);
    const { refusal } = await this.limits.countRequest(caller.keyId);
    if (refusal) throw refusal.problem;
    return caller;
  }

  /** A new session of an operator; throws `forbidden_scope` for any other key. `cookie` is the value of its cookie. */
  begin(caller: Principal): { readonly session: OperatorSession; readonly cookie: string } {
    checkScope({ scopes: ['operator'] }, caller);
    const ends = this.clock.now() + SESSION_MS;
    const session = {
      id: Buffer.from(readSystemRandomBytes(16)).toString('base64url'),
      keyId: caller.keyId,
      tenantId: caller.tenantId,
      expiresAt: Math.min(ends, caller.expiresAt ?? ends),
    };
    return { session, cookie: sealSession(session, this.secret) };
  }

  /** The session of a cookie whose key is still valid, or null. Throws `rate_limited`. */
  async find(cookie: string | null): Promise<OperatorSession | null> {
    const session = cookie === null ? null : openSession(cookie, this.secret, this.clock.now());
    if (session === null || !(await this.isKeyValid(session))) return null;
    const { refusal } = await this.limits.countRequest(session.keyId);
    if (refusal) throw refusal.problem;
    return session;
  }

  /** What the forms of the session's pages contain. */
  formToken(session: OperatorSession): string {
    return formTokenOf(session, this.secret);
  }

  /** Whether a form comes from a page of this session. */
  isFormToken(session: OperatorSession, given: string): boolean {
    return isEqual(given, this.formToken(session));
  }

  private async isKeyValid(key: OperatorSession): Promise<boolean> {
    const known = this.valid.get(key.keyId);
    if (known) return known.isValid;
    const isValid = await isOperatorKeyValid(this.database, key, this.clock.now());
    this.valid.set(key.keyId, { isValid });
    return isValid;
  }
}
