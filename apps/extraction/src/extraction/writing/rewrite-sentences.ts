import {
  type BrokenSentence,
  buildRewritePrompt,
  LLMError,
  type LLMProvider,
  type LLMRequest,
  type LLMResponse,
  NO_CONVERSATION,
  readRewrite,
} from '@annals/llm-core';
import type { ModelCalls } from '@annals/runtime';

export interface RewriteOptions {
  readonly modelCalls: ModelCalls;
  /** The model whose answer is mended. */
  readonly provider: LLMProvider;
  readonly batch: {
    readonly tenantId: string;
    readonly userId: string;
    readonly batchId: string;
    readonly fence: number;
    readonly generation: number;
  };
  readonly maxOutputTokens: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A sentence and its frame take about so many tokens. */
const TOKENS_PER_SENTENCE = 90;

/** What asking came to: new sentences by place, or why there are none. */
export type Rewrite =
  | { readonly asked: true; readonly sentences: ReadonlyMap<number, string> }
  | { readonly asked: false; readonly why: string };

/**
 * Has a model rewrite sentences, all in one call and once. Never throws: the answer they stand in is paid for and is
 * written whatever comes of this.
 */
export async function rewriteSentences(
  { modelCalls, provider, batch, timeoutMs, signal, ...options }: RewriteOptions,
  broken: readonly BrokenSentence[],
): Promise<Rewrite> {
  const { tenantId, userId, batchId, fence, generation } = batch;
  const prompt = buildRewritePrompt(broken);
  const maxOutputTokens = Math.min(options.maxOutputTokens, provider.getCapabilities().maxOutputTokens);
  const build = (callSignal: AbortSignal): LLMRequest => ({
    requestId: `${batchId}-${fence}-writing`,
    task: 'rewrite_memories',
    conversation: NO_CONVERSATION,
    prompt,
    maxOutputTokens,
    signal: callSignal,
  });
  try {
    const result = await modelCalls.run<LLMResponse>({
      tenantId,
      userId,
      batch: { batchId, fence, generation },
      operation: 'writing',
      provider: provider.name,
      model: provider.model,
      maxCostMicroUsd: provider.estimateMaxCost(build(signal)),
      expectedTokens: provider.estimateTokens(prompt.system + prompt.user) + broken.length * TOKENS_PER_SENTENCE,
      timeoutMs,
      signal,
      invoke: async (callSignal) => {
        const response = await provider.send(build(callSignal));
        const { usage, costMicroUsd, rateLimits } = response;
        return { value: response, usage, costMicroUsd, rateLimits };
      },
    });
    if (result.outcome === 'failed') return { asked: false, why: result.error.type };
    if (result.outcome === 'refused') return { asked: false, why: result.why };
    // What it costs is settled as soon as it answers, whatever becomes of the sentences.
    await result.close('not_written');
    return { asked: true, sentences: readRewrite(result.value.text, prompt) };
  } catch (error) {
    return { asked: false, why: error instanceof LLMError ? error.type : 'unavailable' };
  }
}
