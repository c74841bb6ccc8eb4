import {
  type Budget,
  type DeploymentBudgets as Answered,
  PAID_PROVIDERS,
  type PaidProvider,
  type PutDeploymentBudgets,
  type routes,
} from '@annals/contracts';
import type { Clock } from '@annals/domain';
import type { OutboxRelay } from '@annals/messaging';
import type { Logger } from '@annals/observability';
import { CLOCK, CONFIG, DATABASE, LOGGER, readBudgetDay, RELAY } from '@annals/runtime';
import {
  type Database,
  NO_TENANT,
  readBudgetLimits,
  readDeploymentStanding,
  setDeploymentBudget,
  type SharedBudget,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import { type Answer, type Call, ok } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { OPERATOR_SPACE } from '../operator/operator-space.js';
import { describeBudget, describeChange, isRaised } from './describe-budget.js';
import { wakeForBudget } from './wake-for-budget.js';

const SHARED = ['deployment', ...PAID_PROVIDERS] as const;
type Shared = (typeof SHARED)[number];

/** The budgets that all tenants share. */
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

  async read(): Promise<Answered> {
    const now = this.clock.now();
    const [overrides, standing] = await Promise.all([
      this.readOverrides(),
      readDeploymentStanding(this.database, readBudgetDay(now)),
    ]);
    const describe = (name: Shared): Budget =>
      describeBudget(
        {
          overrideMicroUsd: overrides.get(name) ?? null,
          configuredMicroUsd: this.configured(name),
          ...(name === 'deployment' ? standing.deployment : (standing.providers.get(name) ?? NOTHING)),
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

  /** Setting a budget twice is setting it once, so the answer may be kept after the deed. */
  async put(call: Call<typeof routes.putDeploymentBudgets>): Promise<Answer<Answered>> {
    const kept = await this.writes.find<Answered>(OPERATOR_SPACE, call);
    if (kept) return kept;
    const body = await this.set(call.body, call.caller);
    return this.writes.runIn(OPERATOR_SPACE, call, async () => ({ answer: ok(body) }));
  }

  private async set(body: PutDeploymentBudgets, { keyId: byKeyId }: Principal): Promise<Answered> {
    const now = this.clock.now();
    const overrides = await this.readOverrides();
    const changes = SHARED.flatMap((scope) => {
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
    const woken = raised ? await wakeForBudget(this, null, now) : undefined;
    const answer = await this.read();
    return woken === undefined ? answer : { ...answer, woken_batches: woken };
  }

  /** Read in nobody's name: these belong to no tenant. */
  private async readOverrides(): Promise<ReadonlyMap<Shared, number | null>> {
    const { deployment, providers } = await readBudgetLimits(this.database, NO_TENANT);
    return new Map([
      ['deployment', deployment],
      ...PAID_PROVIDERS.map((name): [Shared, number | null] => [name, providers.get(name) ?? null]),
    ]);
  }

  private configured(name: Shared): number | null {
    const { deploymentMicroUsd, providersMicroUsd } = this.config.budgets;
    return name === 'deployment' ? deploymentMicroUsd : (providersMicroUsd[name] ?? null);
  }
}

const NOTHING = { spentMicroUsd: 0, heldMicroUsd: 0 };

function toSharedBudget(name: Shared): SharedBudget {
  return name === 'deployment' ? { scope: 'deployment' } : { scope: 'provider', id: name };
}
