import { type LLMProvider, type LLMRequest, type LLMResponse, LLMError, parseExtraction } from '@annals/llm-core';
import type { ExtractionResponse } from '@annals/contracts';
import type { Logger, LogProvider, Metrics } from '@annals/observability';
import { withSpan } from '@annals/observability';

export interface ProviderCallDependencies {
  readonly provider: LLMProvider;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'add' | 'observe'>;
}

export interface ProviderAnswer {
  readonly response: LLMResponse;
  readonly extraction: ExtractionResponse;
}

/**
 * Asks the model and reads its answer, with the events and latencies of the LLM specification: `provider_call` and
 * `parsing` first, `total` only after both. @throws LLMError, or the reason of an aborted signal
 */
export async function callProvider(
  deps: ProviderCallDependencies,
  request: LLMRequest,
  attempt: number,
): Promise<ProviderAnswer> {
  const { provider, metrics } = deps;
  const observe = (operation: 'provider_call' | 'parsing' | 'total', sinceMs: number) =>
    metrics.observe('memory_llm_latency_ms_summary', performance.now() - sinceMs, {
      provider: provider.name,
      operation,
    });
  const startedMs = performance.now();
  const response = await send(deps, request, attempt);
  observe('provider_call', startedMs);
  const parsingStartedMs = performance.now();
  const extraction = parse(deps, response, attempt);
  observe('parsing', parsingStartedMs);
  observe('total', startedMs);
  return { response, extraction };
}

async function send(deps: ProviderCallDependencies, request: LLMRequest, attempt: number): Promise<LLMResponse> {
  const { provider, logger } = deps;
  const name = provider.name as LogProvider;
  const { requestId } = request;
  const startedMs = performance.now();
  if (logger.isEnabled('debug')) logger.debug('provider_call_start', { requestId, provider: name, model: name });
  try {
    const response = await withSpan('provider_call', { 'annals.provider': provider.name }, () =>
      provider.send(request),
    );
    reportUsage(deps, response, { requestId, durationMs: performance.now() - startedMs });
    return response;
  } catch (error) {
    if (!request.signal.aborted) logFailure(deps, error, attempt, requestId);
    throw error;
  }
}

function parse(deps: ProviderCallDependencies, response: LLMResponse, attempt: number): ExtractionResponse {
  try {
    return parseExtraction(response.text);
  } catch (error) {
    logFailure(deps, error, attempt, undefined);
    throw error;
  }
}

/** Counted when it was used, whatever becomes of the answer: the provider charges for it. */
function reportUsage(
  { logger, metrics }: ProviderCallDependencies,
  response: LLMResponse,
  call: { requestId: string; durationMs: number },
): void {
  const { usage, costMicroUsd, provider, model } = response;
  const { inputTokens, outputTokens, estimated } = usage;
  const labels = { provider, model, operation: 'extraction' } as const;
  metrics.add('memory_llm_tokens_total', inputTokens, { ...labels, direction: 'input' });
  metrics.add('memory_llm_tokens_total', outputTokens, { ...labels, direction: 'output' });
  metrics.add('memory_llm_cost_micro_usd_total', costMicroUsd, labels);
  logger.info('provider_call_complete', {
    ...call,
    provider: provider as LogProvider,
    model,
    costMicroUSD: costMicroUsd,
    tokenUsage: { inputTokens, outputTokens },
    usageEstimated: estimated,
  });
}

function logFailure(
  { logger, provider }: ProviderCallDependencies,
  error: unknown,
  attempt: number,
  requestId: string | undefined,
): void {
  const known = error instanceof LLMError ? error : undefined;
  logger.warn('provider_call_error', {
    requestId,
    provider: provider.name as LogProvider,
    errorType: known?.type ?? 'unknown',
    attempt,
    retryAfterMs: known?.retryAfterMs,
    derivedRetry: known?.derivedRetry,
    status: known?.status,
  });
}
