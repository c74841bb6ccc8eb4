import {
  type Budget,
  type DeploymentBudgets,
  PAID_PROVIDERS,
  type PaidProvider,
  type PutDeploymentBudgets,
  type routes,
  type TenantBudget,
} from '@annals/contracts';
import type { Clock } from '@annals/domain';
import type { OutboxRelay } from '@annals/messaging';
import type { Logger } from '@annals/observability';
import { CLOCK, CONFIG, DATABASE, LOGGER, RELAY, toBudgetDay } from '@annals/runtime';
import {
  type Database,
  NO_TENANT,
  readBudgetLimits,
  readBudgetOverrides,
  readDeploymentBudgetUsage,
  readTenantBudgetUsage,
  setDeploymentBudget,
  setTenantBudget,
  type SharedBudget,
  type Tx,
  wakeDeferredBatches,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { type Principal, tenantOf } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import { type Call, ok } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { describeBudget, describeChange, isRaised } from './describe-budget.js';

const SHARED_BUDGET_NAMES = ['deployment', ...PAID_PROVIDERS] as const;
type SharedBudgetName = (typeof SHARED_BUDGET_NAMES)[number];

const NO_SPENDING = { spentMicroUsd: 0, reservedMicroUsd: 0 };

/** Resumed batches start spread over this time, to avoid a burst. */
const RESUME_SPREAD_MS = 10_000;

/** The daily budgets: of a tenant, and those that all tenants share, the deployment's and the providers'. */
@Injectable()
export class BudgetsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RELAY) private readonly relay: Pick<OutboxRelay, 'kick'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async readOfTenant({ caller }: Call): Promise<TenantBudget> {
    return this.database.readTenant(tenantOf(caller), (tx) => this.describeOfTenant(tx));
  }

  /** Deferred batches are resumed after the commit, so that they find the new limit. */
  async putOfTenant(call: Call<typeof routes.putBudget>) {
    const tenantId = tenantOf(call.caller);
    const limit = call.body.daily_limit_micro_usd;
    const configured = this.config.budgets.tenantMicroUsd;
    const after = limit ?? configured;
    // Equal unless `write` runs: a replayed response changes nothing.
    let before = after;
    const answer = await this.writes.run(call, async (tx) => {
      const { tenant: override } = await readBudgetOverrides(tx);
      await setTenantBudget(tx, limit, this.clock.now());
      const body = await this.describeOfTenant(tx);
      before = override ?? configured;
      return { answer: ok(body) };
    });
    const change = describeChange(before, after);
    const { keyId: byKeyId } = call.caller;
    if (change) this.logger.info('budget_changed', { scope: 'tenant', tenantId, ...change, byKeyId });
    if (!isRaised(before, after)) return answer;
    const resumed = await this.resumeBatches(tenantId, this.clock.now());
    return { ...answer, body: { ...answer.body, resumed_batches: resumed } };
  }

  async readShared(): Promise<DeploymentBudgets> {
    const now = this.clock.now();
    const [overrides, usage] = await Promise.all([
      this.readSharedOverrides(),
      readDeploymentBudgetUsage(this.database, toBudgetDay(now)),
    ]);
    const describe = (name: SharedBudgetName): Budget => {
      const spending = name === 'deployment' ? usage.deployment : (usage.providers.get(name) ?? NO_SPENDING);
      const limits = { overrideMicroUsd: overrides.get(name) ?? null, configuredMicroUsd: this.configured(name) };
      return describeBudget({ ...limits, ...spending }, now);
    };
    const providers = PAID_PROVIDERS.map((name) => [name, describe(name)]);
    return {
      deployment: describe('deployment'),
      providers: Object.fromEntries(providers) as Record<PaidProvider, Budget>,
    };
  }

  /** Setting a budget is idempotent, so the response may be stored after the change, in another transaction. */
  async putShared(call: Call<typeof routes.putDeploymentBudgets>) {
    return this.writes.runForOperator(call, () => this.setShared(call.body, call.caller));
  }

  private async describeOfTenant(tx: Tx): Promise<TenantBudget> {
    const now = this.clock.now();
    const [overrides, usage] = await Promise.all([
      readBudgetOverrides(tx),
      readTenantBudgetUsage(tx, toBudgetDay(now)),
    ]);
    const { tenantMicroUsd: configuredMicroUsd } = this.config.budgets;
    return describeBudget({ overrideMicroUsd: overrides.tenant, configuredMicroUsd, ...usage }, now);
  }

  private async setShared(body: PutDeploymentBudgets, { keyId: byKeyId }: Principal): Promise<DeploymentBudgets> {
    const now = this.clock.now();
    const overrides = await this.readSharedOverrides();
    const changes = SHARED_BUDGET_NAMES.flatMap((scope) => {
      const limit = body[scope];
      const configured = this.configured(scope);
      return limit === undefined
        ? []
        : [{ scope, limit, before: overrides.get(scope) ?? configured, after: limit ?? configured }];
    });
    await Promise.all(
      changes.map(async ({ scope, limit, before, after }) => {
        await setDeploymentBudget(this.database, { ...toSharedBudget(scope), limitMicroUsd: limit, now });
        const change = describeChange(before, after);
        if (change) this.logger.info('budget_changed', { scope, ...change, byKeyId });
      }),
    );
    const raised = changes.some(({ before, after }) => isRaised(before, after));
    const resumed = raised ? { resumed_batches: await this.resumeBatches(null, now) } : {};
    return { ...(await this.readShared()), ...resumed };
  }

  /** Resumes work that is deferred as `budget_exceeded`: a tenant's, or all for null. Returns the number of batches. */
  private async resumeBatches(tenantId: string | null, now: number): Promise<number> {
    const deferred = { tenantId, reason: 'budget_exceeded', now, spreadMs: RESUME_SPREAD_MS } as const;
    const resumed = await wakeDeferredBatches(this.database, deferred);
    // Other work than batches may be due now too; the number does not tell.
    this.relay.kick();
    return resumed;
  }

  /** Read without a tenant, since these budgets belong to none. */
  private async readSharedOverrides(): Promise<ReadonlyMap<SharedBudgetName, number | null>> {
    const { deployment, providers } = await readBudgetLimits(this.database, NO_TENANT);
    return new Map([
      ['deployment', deployment],
      ...PAID_PROVIDERS.map((name): [SharedBudgetName, number | null] => [name, providers.get(name) ?? null]),
    ]);
  }

  private configured(name: SharedBudgetName): number | null {
    const { deploymentMicroUsd, providersMicroUsd } = this.config.budgets;
    return name === 'deployment' ? deploymentMicroUsd : (providersMicroUsd[name] ?? null);
  }
}

function toSharedBudget(name: SharedBudgetName): SharedBudget {
  return name === 'deployment' ? { scope: 'deployment' } : { scope: 'provider', id: name };
}
