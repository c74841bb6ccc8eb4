import {
  type Budget,
  type DeploymentBudgets as DeploymentBudgetsBody,
  PAID_PROVIDERS,
  type PaidProvider,
  type PutDeploymentBudgets,
  type routes,
} from '@annals/contracts';
import type { Clock } from '@annals/domain';
import type { OutboxRelay } from '@annals/messaging';
import type { Logger } from '@annals/observability';
import { CLOCK, CONFIG, DATABASE, LOGGER, toBudgetDay, RELAY } from '@annals/runtime';
import {
  type Database,
  NO_TENANT,
  readBudgetLimits,
  readDeploymentBudgetUsage,
  setDeploymentBudget,
  type SharedBudget,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import type { Call } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { describeBudget, describeChange, isRaised } from './describe-budget.js';
import { resumeForBudget } from './resume-for-budget.js';

const SHARED_BUDGET_NAMES = ['deployment', ...PAID_PROVIDERS] as const;
type SharedBudgetName = (typeof SHARED_BUDGET_NAMES)[number];

/** The budgets that all tenants share: the deployment's and the providers'. */
@Injectable()
export class DeploymentBudgets {
  constructor(
    @Inject(DATABASE) readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RELAY) readonly relay: Pick<OutboxRelay, 'kick'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async read(): Promise<DeploymentBudgetsBody> {
    const now = this.clock.now();
    const [overrides, usage] = await Promise.all([
      this.readOverrides(),
      readDeploymentBudgetUsage(this.database, toBudgetDay(now)),
    ]);
    const describe = (name: SharedBudgetName): Budget =>
      describeBudget(
        {
          overrideMicroUsd: overrides.get(name) ?? null,
          configuredMicroUsd: this.configured(name),
          ...(name === 'deployment' ? usage.deployment : (usage.providers.get(name) ?? NO_SPENDING)),
        },
        now,
      );
    return {
      deployment: describe('deployment'),
      providers: Object.fromEntries(PAID_PROVIDERS.map((name) => [name, describe(name)])) as Record<
        PaidProvider,
        Budget
      >,
    };
  }

  /** Setting a budget is idempotent, so the response may be stored after the change, in another transaction. */
  async put(call: Call<typeof routes.putDeploymentBudgets>) {
    return this.writes.runForOperator(call, () => this.set(call.body, call.caller));
  }

  private async set(body: PutDeploymentBudgets, { keyId: byKeyId }: Principal): Promise<DeploymentBudgetsBody> {
    const now = this.clock.now();
    const overrides = await this.readOverrides();
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
    const resumed = raised ? await resumeForBudget(this, null, now) : undefined;
    const answer = await this.read();
    return resumed === undefined ? answer : { ...answer, resumed_batches: resumed };
  }

  /** Read without a tenant, since these budgets belong to none. */
  private async readOverrides(): Promise<ReadonlyMap<SharedBudgetName, number | null>> {
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

const NO_SPENDING = { spentMicroUsd: 0, reservedMicroUsd: 0 };

function toSharedBudget(name: SharedBudgetName): SharedBudget {
  return name === 'deployment' ? { scope: 'deployment' } : { scope: 'provider', id: name };
}
