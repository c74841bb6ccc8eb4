import type { Config } from '@annals/config';
import { ProblemError } from '@annals/contracts';
import { type Clock, createPseudonyms, type RedactionOptions } from '@annals/domain';
import type { Logger } from '@annals/observability';
import {
  confirmPseudonymKey,
  type Database,
  ensurePseudonymSalt,
  loadTenantSettings,
  type TenantSettings,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { KeyObject } from 'node:crypto';
import { CLOCK, CONFIG, DATABASE, LOGGER, SECRETS } from '../infrastructure/infrastructure.module.js';
import type { Secrets } from '../secrets/derive-secrets.js';
import { deriveTenantPseudonymKey } from '../secrets/tenant-pseudonym-key.js';
import { Redactor, refuseWithoutKey } from './redactor.js';

/** Settings that were changed in another process apply here after this time. */
const TTL_MS = 5_000;
const CACHED_TENANTS = 5_000;

/**
 * The redactor of each tenant, with its settings and the key of its pseudonyms. A provider of Nest, or made by itself:
 * one for each process, since it caches.
 */
@Injectable()
export class Redactors {
  private readonly cache: LRUCache<string, Redactor>;
  private readonly pending = new Map<string, Promise<Redactor>>();
  private readonly reported = new Set<string>();
  private readonly ofOperator: Redactor;
  private epoch = 0;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config<'redaction'>,
    @Inject(SECRETS) private readonly secrets: Pick<Secrets, 'pseudonyms'>,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.cache = new LRUCache({ max: CACHED_TENANTS, ttl: TTL_MS, ttlResolution: 0, perf: clock });
    this.ofOperator = this.create(null, deriveTenantPseudonymKey(secrets.pseudonyms, 'operator'));
  }

  /** The redactor of a tenant; for an operator, who has none (null), one without pseudonyms. */
  async of(tenantId: string | null): Promise<Redactor> {
    if (tenantId === null) return this.ofOperator;
    const cached = this.cache.get(tenantId);
    if (cached) return cached;
    let pending = this.pending.get(tenantId);
    if (!pending) {
      pending = this.load(tenantId).finally(() => this.pending.delete(tenantId));
      this.pending.set(tenantId, pending);
    }
    return pending;
  }

  /** After its settings were changed in this process. */
  forget(tenantId: string): void {
    this.epoch += 1;
    this.cache.delete(tenantId);
    this.pending.delete(tenantId);
  }

  private async load(tenantId: string): Promise<Redactor> {
    const { epoch } = this;
    const settings = await this.database.readTenant(tenantId, loadTenantSettings);
    if (!settings) throw deleted();
    const salt = settings.pseudonym_salt ?? (await this.database.inTenant(tenantId, ensurePseudonymSalt));
    if (salt === null) throw deleted();
    const { key, fingerprint } = deriveTenantPseudonymKey(this.secrets.pseudonyms, salt);
    const confirmed = settings.pseudonym_check ?? (await this.confirm(tenantId, salt, fingerprint));
    // The pseudonyms were renewed since the settings were read.
    if (confirmed === null) return this.load(tenantId);
    const isKnown = confirmed === fingerprint;
    this.report(tenantId, isKnown);
    const redactor = this.create(settings, isKnown ? { key, fingerprint } : null);
    if (this.epoch === epoch) this.cache.set(tenantId, redactor);
    return redactor;
  }

  private async confirm(tenantId: string, salt: string, check: string) {
    return this.database.inTenant(tenantId, (tx) => confirmPseudonymKey(tx, { salt, check }));
  }

  /** Logs once that the tenant's placeholders were made with another key, until they are not. */
  private report(tenantId: string, isKnown: boolean): void {
    if (isKnown) this.reported.delete(tenantId);
    else if (!this.reported.has(tenantId)) {
      this.reported.add(tenantId);
      this.logger.error('pseudonym_key_changed', { tenantId });
    }
  }

  /** `pseudonyms`: null when there is no key that may be used. */
  private create(
    settings: TenantSettings | null,
    pseudonyms: { readonly key: KeyObject; readonly fingerprint: string } | null,
  ): Redactor {
    const key = pseudonyms?.key ?? null;
    const { defaultCountry, personalIds } = this.config.redaction;
    const country = settings?.default_country ?? defaultCountry;
    return new Redactor({
      // An unknown country has no national phone formats; international ones are found all the same.
      defaultCountry: country as NonNullable<RedactionOptions['defaultCountry']>,
      personalIds: settings?.personal_ids ?? personalIds,
      pseudonymOf: settings === null ? undefined : key ? createPseudonyms(key) : refuseWithoutKey,
      key,
      keyFingerprint: pseudonyms?.fingerprint ?? null,
    });
  }
}

function deleted(): ProblemError {
  return new ProblemError('unauthenticated', 'The tenant of this API key was deleted.');
}
