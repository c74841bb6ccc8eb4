import { compareTokenEstimate, type LLMProvider } from '@annals/llm-core';
import type { Logger, LogProvider, Metrics } from '@annals/observability';
import type { ParseResult, ReceivedAnswer } from './receive-answer.js';

export interface ReportDependencies {
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'add' | 'inc' | 'observe'>;
}

export interface AboutCall {
  readonly requestId: string;
  readonly provider: LLMProvider;
  /** Which call to this provider it is for the batch, from 1. */
  readonly attempt: number;
}

export function reportFirstToken(
  { logger, metrics }: ReportDependencies,
  about: AboutCall,
  firstTokenMs: number,
): void {
  observeLatency(metrics, about, 'first_token', firstTokenMs);
  logger.info('first_token_latency', { ...describe(about), firstTokenMs });
}

/** Repairs first, then the latencies (docs/reference/logging-and-metrics.md#latency-of-an-extraction). */
export function reportParsing(
  deps: ReportDependencies,
  about: AboutCall,
  received: ReceivedAnswer,
  parsed: ParseResult,
): void {
  reportRepairs(deps, about, received, parsed);
  const { metrics } = deps;
  observeLatency(metrics, about, 'provider_call', received.receivedAtMs - received.sentAtMs);
  if (!parsed.understood) return;
  if (received.truncated) reportTruncation(deps, about, parsed);
  reportShape(deps, about, parsed);
  observeLatency(metrics, about, 'parsing', parsed.endedAtMs - parsed.startedAtMs);
  observeLatency(metrics, about, 'total', parsed.endedAtMs - received.sentAtMs);
}

function reportRepairs(
  { logger, metrics }: ReportDependencies,
  about: AboutCall,
  { needsStreamRepair }: ReceivedAnswer,
  parsed: ParseResult,
): void {
  const fields = describe(about);
  const success = parsed.understood;
  const outcome = success ? 'success' : 'failure';
  if (needsStreamRepair) {
    metrics.inc('memory_llm_stream_repairs_total', { outcome });
    logger.info('stream_repair_attempt', { ...fields, success });
  }
  if (!success || parsed.answer.repairs > 0) {
    metrics.inc('memory_llm_json_repairs_total', { outcome });
    const repairs = parsed.understood ? parsed.answer.repairs : undefined;
    logger.info('parsing_repair_attempt', { ...fields, success, repairs });
  }
  if (success) return;
  metrics.inc('memory_llm_parse_failures_total', { provider: about.provider.name });
  logger.warn('parsing_repair_failure', { ...fields, errorType: 'parsing' });
}

/** Memories after the cut are lost. The remedy is a higher output token limit, or smaller batches. */
function reportTruncation(
  { logger, metrics }: ReportDependencies,
  about: AboutCall,
  { answer: { memories, dropped } }: Extract<ParseResult, { understood: true }>,
): void {
  const { name, model } = about.provider;
  metrics.inc('memory_llm_answers_truncated_total', { provider: name, model });
  logger.warn('answer_truncated', { ...describe(about), retained: memories.length, dropped });
}

function reportShape(
  { logger, metrics }: ReportDependencies,
  about: AboutCall,
  { answer }: Extract<ParseResult, { understood: true }>,
): void {
  const { dropped, adaptedFrom } = answer;
  if (dropped > 0) metrics.add('memory_llm_memories_dropped_total', dropped, { provider: about.provider.name });
  if (adaptedFrom === null) return;
  metrics.inc('memory_llm_schema_adaptations_total', { from: adaptedFrom });
  logger.info('schema_adapted', { ...describe(about), from: adaptedFrom });
}

/** Rate limiter and message selection rely on token estimates, so a large deviation is reported. */
export function reportEstimate(
  { logger, metrics }: ReportDependencies,
  about: AboutCall,
  estimatedTokens: number,
  { response: { usage } }: ReceivedAnswer,
): void {
  if (usage.estimated) return;
  const variance = compareTokenEstimate(estimatedTokens, usage.inputTokens);
  if (!variance?.notable) return;
  const { name, model } = about.provider;
  metrics.inc('memory_llm_token_estimate_misses_total', { provider: name, model });
  logger.info('token_estimate_missed', {
    ...describe(about),
    estimatedTokens,
    usedTokens: usage.inputTokens,
    variancePercent: variance.variancePercent,
  });
}

function observeLatency(
  metrics: ReportDependencies['metrics'],
  { provider }: AboutCall,
  operation: 'provider_call' | 'parsing' | 'total' | 'first_token',
  ms: number,
): void {
  metrics.observe('memory_llm_latency_ms_summary', ms, { provider: provider.name, operation });
}

function describe({ requestId, provider, attempt }: AboutCall) {
  return { requestId, provider: provider.name as LogProvider, model: provider.model, attempt };
}
