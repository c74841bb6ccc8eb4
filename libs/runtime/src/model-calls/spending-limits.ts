import { BUDGET_SCOPES, type BudgetLimits, type BudgetScope, isEnforced } from '@annals/coordination';
import type { Clock } from '@annals/domain';
import { type Database, readBudgetLimits } from '@annals/storage';
import type { SpendingLimits } from './model-limits.js';

type Overrides = Awaited<ReturnType<typeof readBudgetLimits>>;

/** A changed budget takes effect in all processes within this time. */
const CACHE_TTL_MS = 1_000;
const MAX_CACHED_TENANTS = 1_000;

/** The limits in effect: those of the tables where they have one, else those of the configuration. */
export class SpendingLimitsReader {
  private readonly cache = new Map<string, { readonly until: number; readonly overrides: Promise<Overrides> }>();

  constructor(
    private readonly database: Database,
    private readonly configured: SpendingLimits,
    private readonly clock: Clock,
  ) {}

  /** Drops the cached limits of a tenant; called before a call is refused by them. */
  invalidate(tenantId: string): void {
    this.cache.delete(tenantId);
  }

  /** @throws DatabaseUnavailableError */
  async read(tenantId: string, provider: string): Promise<BudgetLimits> {
    const { deployment, tenant, providers } = await this.readOverrides(tenantId);
    const { deploymentMicroUsd, tenantMicroUsd, providersMicroUsd } = this.configured;
    return {
      deployment: deployment ?? deploymentMicroUsd,
      tenant: tenant ?? tenantMicroUsd,
      provider: providers.get(provider) ?? providersMicroUsd[provider] ?? null,
    };
  }

  private readOverrides(tenantId: string): Promise<Overrides> {
    const now = this.clock.now();
    const cached = this.cache.get(tenantId);
    if (cached && cached.until > now) return cached.overrides;
    if (this.cache.size >= MAX_CACHED_TENANTS) this.cache.clear();
    const overrides = readBudgetLimits(this.database, tenantId);
    const entry = { until: now + CACHE_TTL_MS, overrides };
    this.cache.set(tenantId, entry);
    overrides.catch(() => {
      if (this.cache.get(tenantId) === entry) this.cache.delete(tenantId);
    });
    return overrides;
  }
}

/** The first enforced scope whose whole limit is below `amountMicroUsd`: the call would never be admitted. */
export function findInsufficientLimits(
  limits: BudgetLimits,
  amountMicroUsd: number,
): { readonly scope: BudgetScope; readonly limitMicroUsd: number } | undefined {
  for (const scope of BUDGET_SCOPES) {
    const limitMicroUsd = limits[scope];
    if (isEnforced(limitMicroUsd) && amountMicroUsd > limitMicroUsd) return { scope, limitMicroUsd };
  }
  return undefined;
}
