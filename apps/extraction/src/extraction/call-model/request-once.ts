import type { Config } from '@annals/config';
import type { CallOperation } from '@annals/contracts';
import {
  LLMError,
  type LLMProvider,
  type LLMRequest,
  type LLMResponse,
  type ModelPrompt,
  NO_CONVERSATION,
} from '@annals/llm-core';
import { type JobAttempt, buildPromptCall, type ClaimedBatch, type Infrastructure } from '@annals/runtime';

/** Timeout of a follow-up call, in ms; with less than the minimum left, no call is made. */
const MAX_CALL_MS = 30_000;
const MIN_CALL_MS = 3_000;

/** What further calls for a batch have in common. */
export interface FollowUp {
  readonly infrastructure: Pick<Infrastructure, 'modelCalls' | 'database' | 'clock' | 'pause'>;
  readonly config: Config<'llm' | 'multiFact' | 'procedures'>;
  readonly batch: ClaimedBatch;
  readonly attempt: Pick<JobAttempt, 'signal' | 'withoutSlot'>;
  /** The one that has answered, or the primary one of a batch without an answer; null when it is the local one. */
  readonly provider: LLMProvider | null;
  /** Deadline by the monotonic clock. */
  readonly endsMs: number;
}

export interface FollowUpCall<T> {
  readonly operation: CallOperation;
  readonly task: LLMRequest['task'];
  readonly prompt: ModelPrompt;
  /** A further reason not to make the call, or null. */
  readonly findRefusal?: () => Promise<string | null>;
  /** Where less than the configured limit is enough. */
  readonly maxOutputTokens?: number;
  /** Estimate, for the rate limiter. */
  readonly expectedOutputTokens: number;
  /** Parses the answer. Throws an LLMError when it is unreadable. */
  readonly read: (response: LLMResponse) => T;
}

export type FollowUpAnswer<T> =
  | { readonly answered: true; readonly value: T }
  /** `asked`: the model was called, but has not answered usably. */
  | { readonly answered: false; readonly asked: boolean; readonly why: string };

/** Makes one call without retries, and settles its cost. Never throws: the first answer is written in any case. */
export async function requestOnce<T>(
  { infrastructure: { modelCalls, clock }, config: { llm }, batch, attempt, provider, endsMs }: FollowUp,
  { operation, task, prompt, findRefusal, maxOutputTokens = Infinity, expectedOutputTokens, read }: FollowUpCall<T>,
): Promise<FollowUpAnswer<T>> {
  const timeoutMs = Math.min(llm.timeoutMs, MAX_CALL_MS, Math.floor(endsMs - clock.monotonicNow()));
  if (!provider || !modelCalls) return { answered: false, asked: false, why: 'no_model' };
  if (timeoutMs < MIN_CALL_MS) return { answered: false, asked: false, why: 'no_time' };
  const refusal = await findRefusal?.();
  if (refusal) return { answered: false, asked: false, why: refusal };
  const { signal, withoutSlot } = attempt;
  const requestId = `${batch.batchId}-${batch.fence}-${operation}`;
  try {
    const call = buildPromptCall(batch, {
      operation,
      provider,
      request: {
        requestId,
        task,
        conversation: NO_CONVERSATION,
        prompt,
        maxOutputTokens: Math.min(llm.maxOutputTokens, maxOutputTokens),
      },
      expectedTokens: provider.estimateTokens(prompt.system + prompt.user) + expectedOutputTokens,
      timeoutMs,
      signal,
      send: async (request) => ({ response: await provider.send(request) }),
    });
    const result = await withoutSlot(() => modelCalls.run(call));
    if (result.outcome === 'failed') return { answered: false, asked: true, why: result.error.type };
    if (result.outcome === 'refused') return { answered: false, asked: false, why: result.why };
    await result.close('not_written');
    return { answered: true, value: read(result.value.response) };
  } catch (error) {
    const isOfModel = error instanceof LLMError;
    return { answered: false, asked: isOfModel, why: isOfModel ? error.type : 'unavailable' };
  }
}
