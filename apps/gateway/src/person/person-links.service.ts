import { LINK_SCOPE, type PersonLink, PERSON_SCOPE, ProblemError, type routes } from '@annals/contracts';
import { type Clock, type IdGenerator, readSystemRandomBytes } from '@annals/domain';
import type { Logger } from '@annals/observability';
import { CLOCK, CONFIG, DATABASE, IDS, LOGGER, type Redactor } from '@annals/runtime';
import {
  apiKeyPrefix,
  createApiKey,
  type Database,
  exchangeApiKey,
  findApiKey,
  findUsers,
  hashApiKey,
  type NewApiKey,
  revokeKeysOfUsers,
  type Tx,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Authenticator } from '../auth/authenticator.js';
import { KeyCache } from '../auth/key-cache.js';
import { createKeyText } from '../auth/key-text.js';
import { tenantOf } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import { type Call, ok } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { findPlainIds } from '../redaction/find-plain-ids.js';
import { checkId } from '../redaction/personal-ids.js';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
/** How long a page stays open. */
const SESSION_MS = 3_600_000;

/** Links to the page of a person, which are keys that can be exchanged once for the key of an open page. */
@Injectable()
export class PersonLinksService {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(KeyCache) private readonly cache: KeyCache,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async create(call: Call<typeof routes.createPersonLink>) {
    const { body, caller, params, redactor } = call;
    const now = this.clock.now();
    const expiresAt = now + body.expires_in_seconds * 1_000;
    const base = this.findBase(call.raw.request);
    const text = createKeyText(readSystemRandomBytes);
    return this.writes.run<PersonLink>(call, async (tx) => {
      await refuseNewPersonalId(tx, params.user_id, redactor);
      const link = await createApiKey(tx, {
        ...this.newKey(text, params.user_id, now),
        name: 'link to the page of a person',
        scopes: [LINK_SCOPE],
        // No later than its maker, which could otherwise prolong its own access.
        expiresAt: Math.min(expiresAt, caller.expiresAt ?? expiresAt),
      });
      const storedBody = { id: link.id, expires_at: link.expires_at! };
      return {
        answer: { status: 201, body: { ...storedBody, url: `${base}/me/#${text}` } },
        storedBody,
        afterCommit: () =>
          this.logger.info('person_link_created', {
            tenantId: tenantOf(caller),
            keyId: link.id,
            byKeyId: caller.keyId,
          }),
      };
    });
  }

  async revoke(call: Call<typeof routes.revokePersonLinks>) {
    const { caller, params, redactor } = call;
    let revoked: readonly string[] = [];
    const answer = await this.writes.run(call, async (tx) => {
      const scopes = [LINK_SCOPE, PERSON_SCOPE];
      const userIds = [params.user_id, ...(await findPlainIds(tx, params.user_id, redactor))];
      revoked = await revokeKeysOfUsers(tx, { userIds, scopes, now: this.clock.now() });
      return {
        answer: ok({ revoked: revoked.length }),
        afterCommit: () =>
          this.logger.info('person_links_revoked', {
            tenantId: tenantOf(caller),
            keys: revoked.length,
            byKeyId: caller.keyId,
          }),
      };
    });
    for (const id of revoked) this.cache.forgetKey(id);
    return answer;
  }

  /** The key of an open page. @throws ProblemError `unauthenticated` for a link that is unknown, used, revoked or over */
  async exchange(token: string | null, address: string): Promise<{ readonly key: string; readonly user_id: string }> {
    const hash = hashApiKey(token ?? '');
    const link = token === null ? null : await findApiKey(this.database, hash);
    const { tenantId = null } = link ?? {};
    const key = createKeyText(readSystemRandomBytes);
    const now = this.clock.now();
    const exchanged =
      tenantId &&
      (await this.database.inTenant(tenantId, async (tx) => {
        const used = await exchangeApiKey(tx, { hash, scope: LINK_SCOPE, now });
        if (!used) return null;
        const session = await createApiKey(tx, {
          ...this.newKey(key, used.userId, now),
          name: 'page of a person',
          scopes: ['ingest', 'query', 'admin', PERSON_SCOPE],
          expiresAt: now + SESSION_MS,
        });
        return { linkId: used.id, keyId: session.id, userId: used.userId };
      }));
    if (!exchanged || !tenantId)
      throw await this.authenticator.refuse(address, 'This link was opened already, was revoked, or has expired.', {
        reason: token === null ? 'missing' : 'unknown',
      });
    this.cache.markKnownGood(hashApiKey(key).toString('base64'));
    const { linkId, keyId, userId } = exchanged;
    this.logger.info('person_link_opened', { tenantId, keyId, byKeyId: linkId, address });
    return { key, user_id: userId };
  }

  private newKey(text: string, userId: string, now: number): Omit<NewApiKey, 'name' | 'scopes' | 'expiresAt'> {
    return {
      id: this.ids.next(),
      keyHash: hashApiKey(text),
      prefix: apiKeyPrefix(text),
      operator: false,
      agentId: null,
      userId,
      categories: null,
      now,
    };
  }

  /**
   * The header Host is the caller's word: a product may pass on what a stranger has sent, who would then get the link.
   * On this machine it leads nowhere else.
   */
  private findBase({ protocol, host, hostname }: FastifyRequest): string {
    const { publicUrl } = this.config.personPage;
    if (publicUrl !== undefined) return publicUrl.replace(/\/$/, '');
    if (LOOPBACK.has(hostname)) return `${protocol}://${host}`;
    throw new ProblemError(
      'public_url_missing',
      'Set ANNALS_PUBLIC_URL to the URL of the gateway as browsers reach it.',
    );
  }
}

/** Whoever was stored before may see it, also where the tenant has begun to refuse such ids. */
async function refuseNewPersonalId(tx: Tx, userId: string, redactor: Redactor): Promise<void> {
  if (redactor.personalIds !== 'refuse' || (await findUsers(tx, [userId])).length > 0) return;
  checkId('params.user_id', userId, redactor);
}
