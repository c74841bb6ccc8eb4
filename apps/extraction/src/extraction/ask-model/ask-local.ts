import type { LLMProvider, LLMRequest } from '@annals/llm-core';
import { type LogProvider, withSpan } from '@annals/observability';
import { JobMistake } from '@annals/messaging';
import { receiveAnswer } from './receive-answer.js';
import { readReceived } from './read-received.js';
import { reportReading, type ReportDependencies } from './report-reading.js';
import type { ModelAnswer } from './model-answer.js';

/** Asks a provider inside this process: nothing is reserved, gated or counted, since nothing can run out. */
export async function askLocal(
  deps: ReportDependencies,
  provider: LLMProvider,
  request: LLMRequest,
): Promise<ModelAnswer> {
  const { logger, metrics } = deps;
  const { requestId } = request;
  const name = provider.name as LogProvider;
  const { model } = provider;
  if (logger.isEnabled('debug')) logger.debug('provider_call_start', { requestId, provider: name, model });
  const received = await withSpan('provider_call', { 'annals.provider': provider.name }, () =>
    receiveAnswer(provider, request, { streaming: false, onFirstToken: () => undefined }),
  );
  const { usage, costMicroUsd } = received.response;
  metrics.inc('memory_llm_requests_total', { provider: name, model, operation: 'extraction', outcome: 'ok' });
  logger.info('provider_call_complete', {
    requestId,
    provider: name,
    model,
    durationMs: received.durationMs,
    costMicroUSD: costMicroUsd,
    tokenUsage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
    usageEstimated: usage.estimated,
  });
  const reading = readReceived(received);
  reportReading(deps, { requestId, provider }, received, reading);
  // The same rules give the same answer again.
  if (!reading.understood) throw new JobMistake(reading.error.type);
  return { provider, received, answer: reading.answer, call: null };
}
