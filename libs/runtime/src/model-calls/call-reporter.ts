import type { RateAdmission } from '@annals/coordination';
import type { LLMError } from '@annals/llm-core';
import type { Logger, LogProvider, Metrics } from '@annals/observability';
import type { CallSettlement } from '@annals/storage';
import type { AdmittedCall } from './admission-controller.js';
import type { BudgetAlerts } from './budget-alerts.js';
import type { ModelCall, RefusedCall } from './model-calls.js';

type ReportedCall = Pick<ModelCall<unknown>, 'tenantId' | 'batch' | 'operation' | 'provider' | 'model' | 'attempt'>;

/** Logs and metrics of model calls. Those of language models are visible at the default level. */
export class CallReporter {
  constructor(
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly budgets: Pick<BudgetAlerts, 'readUtilization'>,
  ) {}

  started(call: ReportedCall, admitted: AdmittedCall): void {
    this.logger[levelOf(call)]('provider_call_start', this.fieldsOf(call, admitted));
  }

  answered(call: ReportedCall, admitted: AdmittedCall, { usage, costMicroUsd, durationMs }: CallSettlement): void {
    this.count(call, 'ok', usage, costMicroUsd);
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, estimated } = usage;
    this.logger[levelOf(call)]('provider_call_complete', {
      ...this.fieldsOf(call, admitted),
      durationMs,
      costMicroUSD: costMicroUsd,
      tokenUsage: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens },
      usageEstimated: estimated || undefined,
    });
  }

  failed(call: ReportedCall, admitted: AdmittedCall, settlement: CallSettlement, error: LLMError): void {
    const { outcome, usage, costMicroUsd } = settlement;
    this.count(call, outcome === 'lost' ? 'unknown' : outcome, usage, costMicroUsd);
    // The call was aborted by Annals, so it is no problem of the provider.
    if (outcome !== 'aborted') this.rejected(call, admitted, settlement, error);
  }

  /** A response that cannot be parsed; its call was counted before. */
  rejected(
    call: ReportedCall,
    admitted: AdmittedCall,
    { costMicroUsd, durationMs }: CallSettlement,
    error: LLMError,
  ): void {
    this.logger.warn('provider_call_error', {
      ...this.fieldsOf(call, admitted),
      errorType: error.type,
      attempt: call.attempt ?? 1,
      durationMs,
      costMicroUSD: costMicroUsd,
      status: error.status,
      retryAfterMs: error.retryAfterMs,
      derivedRetry: error.derivedRetry,
      providerRequestId: error.providerRequestId,
    });
  }

  /** The settlement of a call could not be written. */
  unsettled(call: ReportedCall, callId: string, error: unknown): void {
    this.metrics.inc('memory_llm_unsettled_calls_total', { provider: call.provider });
    this.logger.error('call_unsettled', { ...describe(call), callId, error });
  }

  paced({ provider, model }: ReportedCall, admission: RateAdmission): void {
    const labels = { provider, model };
    this.metrics.set('memory_llm_rate_limiter_utilization_percent', admission.utilizationPercent, labels);
    if (admission.admitted) return;
    const { reason, retryInMs } = admission;
    this.metrics.inc('memory_llm_rate_limiter_waits_total', { ...labels, reason });
    this.metrics.observe('memory_llm_rate_limiter_wait_ms', retryInMs, labels);
    this.logger.debug('rate_limiter_wait', { provider: provider as LogProvider, model, reason, retryInMs });
  }

  refused(call: ReportedCall & { readonly maxCostMicroUsd: number }, refusal: RefusedCall): void {
    const { provider, model, tenantId, maxCostMicroUsd } = call;
    if (refusal.why === 'circuit') this.metrics.inc('memory_llm_circuit_refusals_total', { provider, model });
    if (refusal.why !== 'budget' && refusal.why !== 'budget_too_small') return;
    const { scope, shortfallMicroUsd, limitMicroUsd } = refusal;
    const reason = refusal.why === 'budget' ? 'budget_exceeded' : 'budget_too_small';
    this.metrics.inc('memory_llm_budget_rejections_total', { scope, reason });
    this.logger.warn('budget_rejection', {
      provider: provider as LogProvider,
      model,
      errorType: 'budget_exceeded',
      tenantId,
      scope,
      reason,
      projectedCost: maxCostMicroUsd,
      shortfall: shortfallMicroUsd,
      budgetLimit: limitMicroUsd,
    });
  }

  private fieldsOf(call: ReportedCall, { row, circuitState }: AdmittedCall) {
    const budgetUtilization = this.budgets.readUtilization(call.provider);
    return { ...describe(call), callId: row.id, circuitState, budgetUtilization };
  }

  private count(
    { provider, model, operation }: ReportedCall,
    outcome: Exclude<CallSettlement['outcome'], 'lost'>,
    usage: CallSettlement['usage'],
    costMicroUsd: number,
  ): void {
    const labels = { provider, model, operation };
    this.metrics.inc('memory_llm_requests_total', { ...labels, outcome });
    this.metrics.add('memory_llm_tokens_total', usage.inputTokens, { ...labels, direction: 'input' });
    this.metrics.add('memory_llm_tokens_total', usage.outputTokens, { ...labels, direction: 'output' });
    this.metrics.add('memory_llm_tokens_total', usage.cacheReadTokens, { ...labels, direction: 'cache_read' });
    this.metrics.add('memory_llm_tokens_total', usage.cacheWriteTokens, { ...labels, direction: 'cache_write' });
    this.metrics.add('memory_llm_cost_micro_usd_total', costMicroUsd, labels);
  }
}

/** Embedding calls and reranking are made for every query. */
function levelOf({ operation }: ReportedCall): 'info' | 'debug' {
  return operation === 'embedding' || operation === 'rerank' ? 'debug' : 'info';
}

function describe({ tenantId, batch, operation, provider, model, attempt = 1 }: ReportedCall) {
  return { provider: provider as LogProvider, model, attempt, tenantId, batchId: batch?.batchId, operation };
}
