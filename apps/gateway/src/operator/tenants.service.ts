import {
  type ApiKey,
  ProblemError,
  type routes,
  type Tenant,
  type TenantCreated,
  type TenantDeleted,
  type TenantPage,
} from '@annals/contracts';
import type { Clock, IdGenerator } from '@annals/domain';
import type { Logger } from '@annals/observability';
import { CLOCK, DATABASE, IDS, LOGGER, SECRETS, type Secrets } from '@annals/runtime';
import {
  createTenant,
  type Database,
  deleteTenant,
  FOREIGN_KEY_VIOLATION,
  listApiKeys,
  listTenants,
  sqlState,
  type Tx,
  UNIQUE_VIOLATION,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { KeyCache } from '../auth/key-cache.js';
import type { Principal } from '../auth/principal.js';
import { type Answer, type Call, ok } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { deriveTenantId } from './derive-tenant-id.js';
import { insertFullKey } from './insert-full-key.js';
import { OPERATOR_NAMESPACE } from './operator-namespace.js';

/**
 * Creates and deletes tenants. An operator's key has no tenant in which idempotent responses could be stored. That of
 * creating a tenant is stored in the new tenant's rows, and found again by a tenant id that is derived from the
 * Idempotency-Key; that of deleting one is stored in the operators' namespace.
 */
@Injectable()
export class TenantsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(KeyCache) private readonly cache: KeyCache,
    @Inject(SECRETS) private readonly secrets: Secrets,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async list({ query }: Call<typeof routes.listTenants>): Promise<TenantPage> {
    return listTenants(this.database, query);
  }

  async create(call: Call<typeof routes.createTenant>): Promise<Answer<TenantCreated>> {
    const { key } = call.idempotency;
    const id = key === null ? this.ids.next() : deriveTenantId(this.secrets.idempotency, key);
    const now = this.clock.now();
    const tenant: Tenant = { id, name: call.body.name, created_at: new Date(now).toISOString() };
    const created = await this.insertTenant(tenant, now);
    let firstKey: ApiKey | null = null;
    const answer = await this.writes
      .runIn<TenantCreated>(id, call, async (tx) => {
        const first = await this.insertFirstKey(tx, { created, now });
        firstKey = first.key;
        return { answer: { status: 201, body: { ...tenant, key: first.text } }, storedBody: tenant };
      })
      .catch(explainNameConflict);
    // Not set when the response was replayed: nothing was created then.
    if (firstKey) this.logTenantCreated(id, firstKey, call.caller);
    return answer;
  }

  async delete(call: Call<typeof routes.deleteTenant>): Promise<Answer<TenantDeleted>> {
    const { id } = call.params;
    const stored = await this.writes.find<TenantDeleted>(OPERATOR_NAMESPACE, call);
    if (stored) return stored;
    const deleted = await deleteTenant(this.database, id);
    this.cache.forgetTenant(id);
    if (!deleted) throw new ProblemError('not_found', 'There is no tenant with this id.');
    const rows = Object.values(deleted).reduce((all, count) => all + count, 0);
    this.logger.info('tenant_deleted', { tenantId: id, byKeyId: call.caller.keyId, rows });
    return this.writes.runIn(OPERATOR_NAMESPACE, call, async () => ({ answer: ok({ id, deleted }) }));
  }

  /** False when the name or the derived id exists already: taken, or created by an earlier attempt of this request. */
  private async insertTenant({ id, name }: Tenant, now: number): Promise<boolean> {
    try {
      return await createTenant(this.database, { id, name, now });
    } catch (error) {
      if (sqlState(error) === UNIQUE_VIOLATION) return false;
      throw error;
    }
  }

  private async insertFirstKey(tx: Tx, { created, now }: { created: boolean; now: number }) {
    // An existing tenant gets a first key only if an earlier attempt stopped before creating it.
    if (!created && (await listApiKeys(tx, { limit: 1 })).items.length > 0) throw taken();
    return insertFullKey(tx, { id: this.ids.next(), name: 'first', now });
  }

  private logTenantCreated(tenantId: string, { id: keyId }: ApiKey, { keyId: byKeyId }: Principal): void {
    this.logger.info('tenant_created', { tenantId, byKeyId });
    this.logger.info('key_created', { tenantId, keyId, byKeyId });
  }
}

/** A foreign key violation means that the derived tenant id does not exist: the name belongs to another tenant. */
function explainNameConflict(error: unknown): never {
  throw sqlState(error) === FOREIGN_KEY_VIOLATION ? taken() : error;
}

function taken(): ProblemError {
  return new ProblemError('tenant_exists', 'Choose another name: a tenant with this name already exists.');
}
