import {
  type ApiKey,
  type ApiKeyCreated,
  type PatchTenant,
  ProblemError,
  type routes,
  type Tenant,
  type TenantCreated,
} from '@annals/contracts';
import { type Clock, type IdGenerator, isSupportedCountry, readSystemRandomBytes } from '@annals/domain';
import type { Logger } from '@annals/observability';
import { CLOCK, DATABASE, IDS, LOGGER, Redactors, SECRETS, type Secrets } from '@annals/runtime';
import {
  createFullAccessKey,
  createTenant,
  type Database,
  deleteTenant,
  FOREIGN_KEY_VIOLATION,
  listApiKeys,
  listTenants,
  patchTenantSettings,
  sqlState,
  type Tx,
  UNIQUE_VIOLATION,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { KeyCache } from '../auth/key-cache.js';
import { createKeyText } from '../auth/key-text.js';
import type { Principal } from '../auth/principal.js';
import { type Call, ok } from '../http/call.js';
import { invalidFields } from '../http/parse-input.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';

/**
 * Lists, creates and deletes tenants. An operator's key has no tenant in which idempotent responses could be stored.
 * That of creating a tenant is stored in the new tenant's rows, and found again by a tenant id that is derived from the
 * Idempotency-Key; that of deleting one is stored without a tenant.
 */
@Injectable()
export class TenantsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(KeyCache) private readonly cache: KeyCache,
    @Inject(Redactors) private readonly redactors: Redactors,
    @Inject(SECRETS) private readonly secrets: Secrets,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async list({ query }: Call<typeof routes.listTenants>) {
    return listTenants(this.database, query);
  }

  async create(call: Call<typeof routes.createTenant>) {
    const { key } = call.idempotency;
    const id = key === null ? this.ids.next() : deriveTenantId(this.secrets.idempotency, key);
    const now = this.clock.now();
    const { name, ...settings } = call.body;
    checkCountry(settings);
    const created = await this.insertTenant({ id, name }, now);
    return this.writes
      .runIn<TenantCreated>(id, call, async (tx) => {
        const { key: first, text } = await this.insertFirstKey(tx, { created, now });
        const tenant = (await patchTenantSettings(tx, settings))!;
        const afterCommit = () => this.logTenantCreated(id, first, call.caller);
        return { answer: { status: 201, body: { ...tenant, key: text } }, storedBody: tenant, afterCommit };
      })
      .catch(explainNameConflict);
  }

  /** The idempotent response is stored in the tenant's rows. */
  async patch(call: Call<typeof routes.patchTenant>) {
    const { params, body, caller } = call;
    checkCountry(body);
    return this.writes.runIn<Tenant>(params.id, call, async (tx) => {
      const tenant = await patchTenantSettings(tx, body);
      if (!tenant) throw notFound();
      const afterCommit = () => {
        this.redactors.forget(params.id);
        this.logger.info('tenant_changed', { tenantId: params.id, byKeyId: caller.keyId });
      };
      return { answer: ok(tenant), afterCommit };
    });
  }

  async delete(call: Call<typeof routes.deleteTenant>) {
    const { id } = call.params;
    return this.writes.runForOperator(call, async () => {
      const deleted = await deleteTenant(this.database, id);
      this.cache.forgetTenant(id);
      this.redactors.forget(id);
      if (!deleted) throw notFound();
      const rows = Object.values(deleted).reduce((all, count) => all + count, 0);
      this.logger.info('tenant_deleted', { tenantId: id, byKeyId: call.caller.keyId, rows });
      return { id, deleted };
    });
  }

  /**
   * A key for a tenant that has lost its own, which can list and revoke it. The idempotent response is stored in the
   * tenant's rows, so that it is deleted with the tenant.
   */
  async createKey(call: Call<typeof routes.createTenantKey>) {
    const { params, body, caller, redactor } = call;
    return this.writes
      .runIn<ApiKeyCreated>(params.id, call, async (tx) => {
        const { key, text } = await this.insertFullKey(tx, redactor.redact(body.name), this.clock.now());
        const created = { tenantId: params.id, keyId: key.id, byKeyId: caller.keyId };
        const afterCommit = () => this.logger.info('key_created', created);
        return { answer: { status: 201, body: { ...key, key: text } }, storedBody: key, afterCommit };
      })
      .catch(explainMissingTenant);
  }

  /** False when the name or the derived id exists already: taken, or created by an earlier attempt of this request. */
  private async insertTenant({ id, name }: { id: string; name: string }, now: number): Promise<boolean> {
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
    return this.insertFullKey(tx, 'first', now);
  }

  /** A key of the transaction's tenant with every scope and no bindings. Its `text` is returned only this once. */
  private async insertFullKey(tx: Tx, name: string, now: number): Promise<{ key: ApiKey; text: string }> {
    const text = createKeyText(readSystemRandomBytes);
    const key = await createFullAccessKey(tx, { id: this.ids.next(), name, now, text, operator: false });
    return { key, text };
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

/** Turns the foreign key violation of a tenant that does not exist (any more) into `not_found`. */
function explainMissingTenant(error: unknown): never {
  throw sqlState(error) === FOREIGN_KEY_VIOLATION ? notFound() : error;
}

/** Throws `validation_failed` for a country without a telephone numbering plan. */
function checkCountry({ default_country: country }: PatchTenant): void {
  if (country === undefined || country === null || isSupportedCountry(country)) return;
  const message = 'There is no such country: use its two capital letters (ISO 3166), for example DE.';
  throw invalidFields([{ path: 'body.default_country', message }]);
}

function notFound(): ProblemError {
  return new ProblemError('not_found', 'There is no tenant with this id.');
}

function taken(): ProblemError {
  return new ProblemError('tenant_exists', 'Choose another name: a tenant with this name already exists.');
}

/**
 * The id of a tenant that is created under an Idempotency-Key. It is the same for every repetition, so that a
 * repetition finds the stored response in the new tenant's rows. A UUIDv8 (RFC 9562 §5.8) of the Idempotency-Key's
 * HMAC.
 */
export function deriveTenantId(secret: Buffer, idempotencyKey: string): string {
  const bytes = createHmac('sha256', secret).update('tenant\n').update(idempotencyKey).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
