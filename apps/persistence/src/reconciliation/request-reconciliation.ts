import { hashContent, type MemoryChange } from '@annals/domain';
import {
  buildReconciliationPrompt,
  LLMError,
  type LLMProvider,
  type LLMRequest,
  type LLMResponse,
  NO_CONVERSATION,
  type ParsedReconciliation,
  parseReconciliation,
  type ReconciliationPrompt,
} from '@annals/llm-core';
import type { AnsweredCall, BatchAttempt, ClaimedBatch, ModelCalls } from '@annals/runtime';
import type { Neighbour, StoredDecision } from '@annals/storage';
import type { OpenPair } from './classify-statements.js';

/** What a model is shown: every statement and every memory of the open pairs, once. */
export interface ReconciliationRequest {
  readonly prompt: ReconciliationPrompt;
  readonly hashes: readonly string[];
  readonly memories: readonly Neighbour[];
  /** The pairs that are open; what is said of others counts as well. */
  readonly pairs: readonly OpenPair[];
}

/** An answer that was paid for: to be settled with what is written. `decisions` is null when it could not be understood. */
export interface ReconciliationAnswer {
  readonly provider: LLMProvider;
  readonly call: AnsweredCall<LLMResponse>;
  readonly reading: ParsedReconciliation | null;
  readonly decisions: readonly StoredDecision[] | null;
}

export interface ReconciliationOptions {
  readonly providers: readonly LLMProvider[];
  readonly calls: ModelCalls;
  readonly timeoutMs: number;
  readonly maxOutputTokens: number;
}

/** A decision takes about so many tokens. */
const TOKENS_PER_DECISION = 25;

export function buildReconciliationRequest(
  changes: readonly MemoryChange[],
  pairs: readonly OpenPair[],
): ReconciliationRequest {
  const hashes = [...new Set(pairs.map(({ hash }) => hash))];
  const memories = [...new Map(pairs.map(({ neighbour }) => [neighbour.memoryId, neighbour])).values()];
  const facts = hashes.map((hash) => {
    const { memory } = changes.find((change) => isOf(change, hash)) as Extract<MemoryChange, { kind: 'observe' }>;
    return { content: memory.content, saidAt: memory.saidAt };
  });
  return { prompt: buildReconciliationPrompt(facts, memories), hashes, memories, pairs };
}

function isOf(change: MemoryChange, hash: string): boolean {
  return change.kind === 'observe' && hashContent(change.memory.content) === hash;
}

/**
 * Asks the first model that may be asked and answers. The reason when none does: everything is added then
 * (docs/reference/reconciliation.md#add-everything-when-no-model-decides). That a model is paced is such a reason too,
 * and half of each minute is left to others: a backlog of decisions would keep extraction from its requests, and the
 * memories from being found.
 * @throws what `ModelCalls.run` throws
 */
export async function requestReconciliation(
  options: ReconciliationOptions,
  { tenantId, userId, batchId, fence, generation }: ClaimedBatch,
  request: ReconciliationRequest,
  { signal }: Pick<BatchAttempt, 'signal'>,
): Promise<ReconciliationAnswer | string> {
  let reason = 'no_model';
  for (const provider of options.providers) {
    const maxOutputTokens = Math.min(options.maxOutputTokens, provider.getCapabilities().maxOutputTokens);
    const build = (callSignal: AbortSignal): LLMRequest => ({
      requestId: `${batchId}-${fence}-reconciliation`,
      task: 'reconcile_memories',
      conversation: NO_CONVERSATION,
      prompt: request.prompt,
      maxOutputTokens,
      signal: callSignal,
    });
    const result = await options.calls.run<LLMResponse>({
      tenantId,
      userId,
      batch: { batchId, fence, generation },
      operation: 'reconciliation',
      provider: provider.name,
      model: provider.model,
      maxCostMicroUsd: provider.estimateMaxCost(build(signal)),
      expectedTokens: estimateTokens(provider, request),
      yieldsToInteractive: true,
      timeoutMs: options.timeoutMs,
      signal,
      invoke: async (callSignal) => {
        const response = await provider.send(build(callSignal));
        const { usage, costMicroUsd, rateLimits } = response;
        return { value: response, usage, costMicroUsd, rateLimits };
      },
    });
    if (result.outcome === 'answered') return readAnswer(provider, result, request);
    if (result.outcome === 'failed') {
      reason = result.error.type;
      continue;
    }
    // Money that is not there for one model may be there for another, of a provider with a budget of its own.
    reason = result.why;
  }
  return reason;
}

function readAnswer(
  provider: LLMProvider,
  call: AnsweredCall<LLMResponse>,
  request: ReconciliationRequest,
): ReconciliationAnswer {
  try {
    const reading = parseReconciliation(call.value.text, request.prompt);
    return { provider, call, reading, decisions: toStored(reading, request) };
  } catch (error) {
    if (!(error instanceof LLMError)) throw error;
    return { provider, call, reading: null, decisions: null };
  }
}

/** A decision for every pair that was open, and for every other that the model found. */
function toStored(
  { decisions }: ParsedReconciliation,
  { hashes, memories, pairs }: ReconciliationRequest,
): StoredDecision[] {
  const toDecision = (hash: string, { memoryId, revision }: Neighbour, verdict: StoredDecision['verdict']) => ({
    hash,
    memoryId,
    revision,
    verdict,
  });
  return [
    ...pairs.map(({ hash, neighbour }) => toDecision(hash, neighbour, 'apart')),
    // Later ones win: that both cannot hold weighs more than that they say the same.
    ...decisions
      .toSorted((a, b) => b.verdict.localeCompare(a.verdict))
      .map(({ fact, memory, verdict }) => toDecision(hashes[fact]!, memories[memory]!, verdict)),
  ];
}

function estimateTokens(provider: LLMProvider, { prompt, hashes, memories }: ReconciliationRequest): number {
  const decisions = hashes.length + memories.length;
  return provider.estimateTokens(prompt.system + prompt.user) + decisions * TOKENS_PER_DECISION;
}
