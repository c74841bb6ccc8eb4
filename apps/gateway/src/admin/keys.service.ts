import { type ApiKey, type OwnKey, ProblemError, type routes } from '@annals/contracts';
import { type Clock, type IdGenerator, readSystemRandomBytes } from '@annals/domain';
import type { Logger } from '@annals/observability';
import { CLOCK, DATABASE, IDS, LOGGER } from '@annals/runtime';
import {
  apiKeyPrefix,
  createApiKey,
  type Database,
  hashApiKey,
  listApiKeys,
  loadTenantName,
  revokeApiKey,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { AgentCatalog } from '../auth/agent-catalog.js';
import { KeyCache } from '../auth/key-cache.js';
import { createKeyText } from '../auth/key-text.js';
import { type Principal, tenantOf } from '../auth/principal.js';
import { type Call, ok } from '../http/call.js';
import { invalidFields } from '../http/parse-input.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { bindNewKey } from './key-rules.js';

@Injectable()
export class KeysService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(AgentCatalog) private readonly catalog: AgentCatalog,
    @Inject(KeyCache) private readonly cache: KeyCache,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The caller's own key. */
  async describe({ keyId: id, tenantId, scopes, operator, bindings, expiresAt }: Principal): Promise<OwnKey> {
    const tenantName = tenantId && (await this.database.readTenant(tenantId, loadTenantName));
    return {
      id,
      scopes: operator ? [...scopes, 'operator'] : [...scopes],
      agent_id: bindings.agentId,
      user_id: bindings.userId,
      categories: bindings.categories && [...bindings.categories],
      expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
      tenant: tenantId && tenantName ? { id: tenantId, name: tenantName } : null,
    };
  }

  /** Revokes the caller's own key. One that does not expire is somebody's configuration, and is revoked by its id. */
  async end(caller: Principal): Promise<OwnKey> {
    const { keyId, tenantId, expiresAt } = caller;
    if (tenantId === null || expiresAt === null)
      throw new ProblemError('not_found', 'This key does not expire: revoke it with DELETE /v1/admin/keys/{id}.');
    const described = await this.describe(caller);
    const revoked = await this.database.inTenant(tenantId, (tx) => revokeApiKey(tx, keyId, this.clock.now()));
    if (revoked) this.logEvent('key_revoked', revoked.key, caller);
    this.cache.forgetKey(keyId);
    return described;
  }

  async list({ query, caller }: Call<typeof routes.listKeys>) {
    return this.database.readTenant(tenantOf(caller), (tx) => listApiKeys(tx, query));
  }

  async create(call: Call<typeof routes.createKey>) {
    const { body, caller, redactor } = call;
    const now = this.clock.now();
    const bindings = bindNewKey(body, caller, this.catalog);
    const expiresAt = checkExpiry(body.expires_at, caller.expiresAt, now);
    const text = createKeyText(readSystemRandomBytes);
    return this.writes.run(call, async (tx) => {
      const stored = await createApiKey(tx, {
        id: this.ids.next(),
        name: redactor.redact(body.name),
        keyHash: hashApiKey(text),
        prefix: apiKeyPrefix(text),
        scopes: [...new Set(body.scopes)],
        operator: false,
        ...bindings,
        expiresAt,
        now,
      });
      return {
        answer: { status: 201, body: { ...stored, key: text } },
        storedBody: stored,
        afterCommit: () => this.logEvent('key_created', stored, caller),
      };
    });
  }

  async revoke(call: Call<typeof routes.revokeKey>) {
    const { params, caller } = call;
    const answer = await this.writes.run(call, async (tx) => {
      const revoked = await revokeApiKey(tx, params.id, this.clock.now());
      if (!revoked) throw new ProblemError('not_found', 'There is no key with this id.');
      const { key, isRepeated } = revoked;
      return {
        answer: ok(key),
        afterCommit: () => {
          if (!isRepeated) this.logEvent('key_revoked', key, caller);
        },
      };
    });
    // Also after a stored response: the process that returned it first may have been another one.
    this.cache.forgetKey(params.id);
    return answer;
  }

  private logEvent(event: 'key_created' | 'key_revoked', key: ApiKey, caller: Principal): void {
    this.logger.info(event, { tenantId: tenantOf(caller), keyId: key.id, byKeyId: caller.keyId });
  }
}

/** Epoch ms. A key expires no later than its creator, which could otherwise prolong its own access. */
function checkExpiry(requested: string | undefined, own: number | null, now: number): number | null {
  if (requested === undefined) return own;
  const expiresAt = Date.parse(requested);
  const path = 'body.expires_at';
  if (expiresAt <= now) throw invalidFields([{ path, message: 'Send a time in the future.' }]);
  if (own !== null && expiresAt > own) {
    throw invalidFields([{ path, message: 'Send a time before your own key expires.' }]);
  }
  return expiresAt;
}
