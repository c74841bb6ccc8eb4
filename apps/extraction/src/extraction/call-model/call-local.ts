import type { Clock } from '@annals/domain';
import type { LLMProvider, LLMRequest } from '@annals/llm-core';
import { type LogProvider, withSpan } from '@annals/observability';
import { PermanentJobError } from '@annals/messaging';
import { type ModelAnswer, parseReceived, receiveAnswer } from './receive-answer.js';
import { reportParsing, type ReportDependencies } from './report-parsing.js';

/** Calls a provider inside this process: without admission control and ledger, since it has no cost or limits. */
export async function callLocal(
  deps: ReportDependencies & { readonly clock: Clock },
  provider: LLMProvider,
  request: LLMRequest,
): Promise<ModelAnswer> {
  const { logger, metrics, clock } = deps;
  const { requestId } = request;
  const name = provider.name as LogProvider;
  const { model } = provider;
  logger.info('provider_call_start', { requestId, provider: name, model, attempt: 1 });
  const received = await withSpan('provider_call', { 'annals.provider': provider.name }, () =>
    receiveAnswer(provider, request, { clock, streaming: false, onFirstToken: () => undefined }),
  );
  const { usage, costMicroUsd } = received.response;
  metrics.inc('memory_llm_requests_total', { provider: name, model, operation: 'extraction', outcome: 'ok' });
  logger.info('provider_call_complete', {
    requestId,
    provider: name,
    model,
    attempt: 1,
    durationMs: received.receivedAtMs - received.sentAtMs,
    costMicroUSD: costMicroUsd,
    tokenUsage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
    usageEstimated: usage.estimated,
  });
  const parsed = parseReceived(received, clock);
  reportParsing(deps, { requestId, provider, attempt: 1 }, received, parsed);
  // Rules are deterministic: a retry would fail in the same way.
  if (!parsed.understood) throw new PermanentJobError(parsed.error.type);
  return { provider, received, answer: parsed.answer, call: null };
}
