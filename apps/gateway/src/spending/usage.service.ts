import type { routes, TenantCostsPage, UsagePage, UsageRow, UsageTotals } from '@annals/contracts';
import type { Clock } from '@annals/domain';
import { CLOCK, DATABASE, toBudgetDay } from '@annals/runtime';
import {
  countDeferredBatches,
  type Database,
  readTenantCosts,
  readUsage,
  readUsageTotals,
  type UsageRow as LedgerRow,
  type UsageTotals as LedgerTotals,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import type { Call } from '../http/call.js';
import { BudgetsService } from './budgets.service.js';

const DAY_MS = 86_400_000;
/** Days that are returned by default, today included. */
const DEFAULT_DAYS = 30;

@Injectable()
export class UsageService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(BudgetsService) private readonly budgets: BudgetsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async read(call: Call<typeof routes.getUsage>): Promise<UsagePage> {
    const { group_by: groupBy, limit, cursor } = call.query;
    const { from, to } = this.resolvePeriod(call.query);
    const [read, budget] = await Promise.all([
      this.database.readTenant(tenantOf(call.caller), async (tx) => {
        const [page, totals, deferred] = await Promise.all([
          readUsage(tx, { from, to, groupBy, limit, cursor }),
          readUsageTotals(tx, { from, to }),
          countDeferredBatches(tx),
        ]);
        return { page, totals, deferred };
      }),
      this.budgets.readOfTenant(call),
    ]);
    return {
      from,
      to,
      items: read.page.items.map(toRow),
      next_cursor: read.page.next_cursor,
      totals: toTotals(read.totals),
      budget,
      deferred_batches: read.deferred,
    };
  }

  async readOfTenants({ query }: Call<typeof routes.listTenantCosts>): Promise<TenantCostsPage> {
    const period = this.resolvePeriod(query);
    const { limit, cursor } = query;
    const costs = await readTenantCosts(this.database, { ...period, limit, cursor });
    return {
      ...period,
      items: costs.items,
      next_cursor: costs.next_cursor,
      deleted_tenants_cost_micro_usd: costs.deletedTenantsMicroUsd,
    };
  }

  private resolvePeriod({ from, to }: Pick<Call<typeof routes.getUsage>['query'], 'from' | 'to'>) {
    const last = to ?? toBudgetDay(this.clock.now());
    return { from: from ?? toBudgetDay(Date.parse(last) - (DEFAULT_DAYS - 1) * DAY_MS), to: last };
  }
}

function toUsageFigures(figures: Omit<LedgerTotals, 'memories'>) {
  return {
    calls: figures.calls,
    tokens: {
      input: figures.inputTokens,
      output: figures.outputTokens,
      cache_read: figures.cacheReadTokens,
      cache_write: figures.cacheWriteTokens,
    },
    cost_micro_usd: figures.costMicroUsd,
    estimated: figures.estimated,
  };
}

function toRow(row: LedgerRow): UsageRow {
  return {
    day: row.day,
    provider: row.provider,
    model: row.model,
    operation: row.operation,
    user_id: row.userId,
    batch_id: row.batchId,
    call_id: row.callId,
    outcome: row.outcome,
    at: row.at === null ? null : new Date(row.at).toISOString(),
    ...toUsageFigures(row),
  };
}

function toTotals(totals: LedgerTotals): UsageTotals {
  const { memories, costMicroUsd } = totals;
  return {
    ...toUsageFigures(totals),
    memories,
    cost_per_memory_micro_usd: memories === 0 ? null : Math.round(costMicroUsd / memories),
  };
}
