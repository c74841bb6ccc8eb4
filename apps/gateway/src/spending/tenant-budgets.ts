import type { routes, TenantBudget } from '@annals/contracts';
import type { Clock } from '@annals/domain';
import type { OutboxRelay } from '@annals/messaging';
import type { Logger } from '@annals/observability';
import { CLOCK, CONFIG, DATABASE, LOGGER, toBudgetDay, RELAY } from '@annals/runtime';
import { type Database, readBudgetOverrides, readTenantBudgetUsage, setTenantBudget, type Tx } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import { type Call, ok } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { describeBudget, describeChange, isRaised } from './describe-budget.js';
import { resumeForBudget } from './resume-for-budget.js';

/** A tenant's daily budget. */
@Injectable()
export class TenantBudgets {
  constructor(
    @Inject(DATABASE) readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RELAY) readonly relay: Pick<OutboxRelay, 'kick'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async read({ caller }: Call): Promise<TenantBudget> {
    return this.database.readTenant(tenantOf(caller), (tx) => this.describe(tx));
  }

  /** Deferred batches are resumed after the commit, so that they find the new limit. */
  async put(call: Call<typeof routes.putBudget>) {
    const tenantId = tenantOf(call.caller);
    const limit = call.body.daily_limit_micro_usd;
    const configured = this.config.budgets.tenantMicroUsd;
    const after = limit ?? configured;
    // Equal unless `write` runs: a replayed response changes nothing.
    let before = after;
    const answer = await this.writes.run(call, async (tx) => {
      const { tenant: override } = await readBudgetOverrides(tx);
      await setTenantBudget(tx, limit, this.clock.now());
      const body: TenantBudget = await this.describe(tx);
      before = override ?? configured;
      return { answer: ok(body) };
    });
    const change = describeChange(before, after);
    const { keyId: byKeyId } = call.caller;
    if (change) this.logger.info('budget_changed', { scope: 'tenant', tenantId, ...change, byKeyId });
    if (!isRaised(before, after)) return answer;
    const resumed = await resumeForBudget(this, tenantId, this.clock.now());
    return { ...answer, body: { ...answer.body, resumed_batches: resumed } };
  }

  private async describe(tx: Tx): Promise<TenantBudget> {
    const now = this.clock.now();
    const [overrides, usage] = await Promise.all([
      readBudgetOverrides(tx),
      readTenantBudgetUsage(tx, toBudgetDay(now)),
    ]);
    return describeBudget(
      { overrideMicroUsd: overrides.tenant, configuredMicroUsd: this.config.budgets.tenantMicroUsd, ...usage },
      now,
    );
  }
}
