import type { Clock } from '@annals/domain';
import type { Correction, LLMProvider } from '@annals/llm-core';
import { buildPromptCall, type FailedCall, type ModelCalls, type RefusedCall } from '@annals/runtime';
import type { PastCall } from '@annals/storage';
import type { BatchRequest } from './batch-request.js';
import { type ModelAnswer, parseReceived, receiveAnswer } from './receive-answer.js';
import { reportEstimate, reportFirstToken, reportParsing, type ReportDependencies } from './report-parsing.js';

export interface RemoteCallDependencies extends ReportDependencies {
  /** Null in a process without remote models. */
  readonly modelCalls: ModelCalls | null;
  readonly clock: Clock;
  readonly options: {
    readonly timeoutMs: number;
    readonly maxOutputTokens: number;
    readonly streaming: boolean;
  };
}

export interface RemoteCall {
  readonly provider: LLMProvider;
  readonly attempt: number;
  readonly correction: Correction | undefined;
  /** Called when admission control has admitted the call. */
  readonly onSend: () => void;
}

/** The result of one call. `past` is the failed call as the ledger contains it. */
export type RemoteResult =
  | { readonly outcome: 'understood'; readonly answer: ModelAnswer }
  | { readonly outcome: 'failed'; readonly failure: FailedCall; readonly past: PastCall }
  | RefusedCall;

/** Of six facts (docs/reference/performance-targets.md#t4-model-calls-and-tokens-of-a-job), corrected later. */
const TYPICAL_OUTPUT_TOKENS = 800;

/** Calls a remote provider through admission control and parses its answer. Settles the call if that is unreadable. */
export async function callRemote(
  deps: RemoteCallDependencies,
  batchRequest: BatchRequest,
  { provider, attempt, correction, onSend }: RemoteCall,
): Promise<RemoteResult> {
  const { options, modelCalls, clock } = deps;
  if (!modelCalls) throw new Error('A remote model was called in a process that is configured without remote models.');
  const { signal, withoutSlot } = batchRequest.attempt;
  const { requestId } = batchRequest.request;
  const about = { requestId, provider, attempt };
  const { timeoutMs, maxOutputTokens, streaming } = options;
  const inputTokens = batchRequest.promptTokens + (correction ? provider.estimateTokens(correction.answer) : 0);
  const maxTokens = Math.min(maxOutputTokens, provider.getCapabilities().maxOutputTokens);
  const call = buildPromptCall(batchRequest.batch, {
    operation: 'extraction',
    provider,
    request: { ...batchRequest.request, ...(correction && { correction }), maxOutputTokens },
    expectedTokens: inputTokens + Math.min(maxTokens, TYPICAL_OUTPUT_TOKENS),
    timeoutMs,
    signal,
    attempt,
    send: (request) => {
      onSend();
      const onFirstToken = (firstTokenMs: number) => reportFirstToken(deps, about, firstTokenMs);
      return receiveAnswer(provider, request, { clock, streaming, onFirstToken });
    },
  });
  const result = await withoutSlot(() => modelCalls.run(call));
  if (result.outcome === 'refused') return result;
  if (result.outcome === 'failed') return { outcome: 'failed', failure: result, past: toPast(deps, provider, result) };
  const received = result.value;
  const parsed = parseReceived(received, clock, batchRequest.request.prompt.messageIds);
  reportParsing(deps, about, received, parsed);
  if (!correction) reportEstimate(deps, about, inputTokens, received);
  if (parsed.understood) {
    return { outcome: 'understood', answer: { provider, received, answer: parsed.answer, call: result } };
  }
  const answer = { text: received.response.text, problem: parsed.error.message };
  const failure = await result.reject(parsed.error, answer);
  return { outcome: 'failed', failure, past: toPast(deps, provider, failure, answer) };
}

function toPast(
  { clock }: RemoteCallDependencies,
  { name, model }: LLMProvider,
  { callId, error, costMicroUsd }: FailedCall,
  answer?: { readonly text: string; readonly problem: string },
): PastCall {
  return {
    id: callId,
    provider: name,
    model,
    outcome: error.type,
    generation: null,
    costMicroUsd,
    at: clock.now(),
    answer: answer?.text ?? null,
    problem: answer?.problem ?? null,
  };
}
