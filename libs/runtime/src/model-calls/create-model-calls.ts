import type { Coordination } from '@annals/coordination';
import type { Clock, IdGenerator } from '@annals/domain';
import type { Logger, Metrics } from '@annals/observability';
import type { Database } from '@annals/storage';
import { AdmissionController } from './admission-controller.js';
import { AdmissionMemory } from './admission-memory.js';
import { BudgetAlerts } from './budget-alerts.js';
import { BudgetAdmission } from './budget-admission.js';
import { collectBudgetUtilization } from './budget-gauge.js';
import { CallReporter } from './call-reporter.js';
import { Circuits } from './circuits.js';
import { CoordinationWatch } from './coordination-watch.js';
import { CallLedger } from './ledger.js';
import type { ModelCalls } from './model-calls.js';
import { type ModelLimits, SETTLING_MARGIN_MS } from './model-limits.js';
import { BudgetReconciler } from './reconciler.js';
import { RemoteModelCalls } from './remote-model-calls.js';
import { Settlement } from './settlement.js';
import { SpendingLimitsReader } from './spending-limits.js';

export interface ModelCallsOptions {
  readonly database: Database;
  readonly coordination: Coordination;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly limits: ModelLimits;
  /** Called after each call that a provider answered. */
  readonly onAnswer?: (provider: string, model: string) => void;
  /** Default: half the settling margin, so that a lost call is charged within one and a half margins. */
  readonly reconcileEveryMs?: number;
}

/** The entry point to remote models, and its reconciler. */
export interface ModelAccess {
  readonly calls: ModelCalls;
  readonly reconciler: BudgetReconciler;
}

export function createModelCalls(options: ModelCallsOptions): ModelAccess {
  const { database, coordination, clock, ids, logger, metrics, limits } = options;
  const { admission, budgets, breaker } = coordination;
  const watch = new CoordinationWatch(logger, metrics);
  const circuits = new Circuits({ breaker, watch, clock, logger, metrics });
  const { settlingMarginMs = SETTLING_MARGIN_MS } = limits;
  const ledger = new CallLedger({ database, clock, ids, settlingMarginMs });
  const spending = new SpendingLimitsReader(database, limits.spending, clock);
  const common = { database, ledger, budgets, watch, clock, logger, metrics };
  const alerts = new BudgetAlerts(common);
  const reporter = new CallReporter(logger, metrics, alerts);
  const budget = new BudgetAdmission({ ...common, limits: spending, alerts });
  const ofCalls = { ...common, admission, budget, circuits, reporter };
  const controller = new AdmissionController({ ...ofCalls, memory: new AdmissionMemory(clock), limits, ids });
  const settlement = new Settlement(ofCalls);
  circuits.collect(limits.models);
  const providers = limits.models.map(({ provider }) => provider);
  collectBudgetUtilization(metrics, { budgets, budgetAdmission: budget, limits: spending, clock }, providers);
  return {
    calls: new RemoteModelCalls({ ...ofCalls, admission: controller, settlement, onAnswer: options.onAnswer }),
    reconciler: new BudgetReconciler({
      ...common,
      budget,
      intervalMs: options.reconcileEveryMs ?? settlingMarginMs / 2,
    }),
  };
}
