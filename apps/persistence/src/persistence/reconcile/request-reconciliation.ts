import { hashContent, type MemoryChange, type Neighbour, type OpenPair, type StoredDecision } from '@annals/domain';
import {
  buildReconciliationPrompt,
  LLMError,
  type LLMProvider,
  type LLMResponse,
  NO_CONVERSATION,
  type ParsedReconciliation,
  parseReconciliation,
  type ReconciliationPrompt,
} from '@annals/llm-core';
import {
  type AnsweredCall,
  type JobAttempt,
  buildPromptCall,
  type ClaimedBatch,
  type ModelCalls,
} from '@annals/runtime';

/** The input of a reconciliation call: every statement and every memory of the open pairs, once. */
export interface ReconciliationRequest {
  readonly prompt: ReconciliationPrompt;
  readonly hashes: readonly string[];
  readonly memories: readonly Neighbour[];
  /** The open pairs; decisions about other pairs are accepted as well. */
  readonly pairs: readonly OpenPair[];
}

/** A paid answer, whose call is settled when it is stored. `decisions` is null when the answer is unreadable. */
export interface ReconciliationAnswer {
  readonly provider: LLMProvider;
  readonly call: AnsweredCall<{ readonly response: LLMResponse }>;
  readonly reading: ParsedReconciliation | null;
  readonly decisions: readonly StoredDecision[] | null;
}

export interface ReconciliationOptions {
  readonly providers: readonly LLMProvider[];
  readonly calls: ModelCalls;
  readonly timeoutMs: number;
  readonly maxOutputTokens: number;
}

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
 * Calls the providers in order until one answers. Returns the reason when none does: everything is added then
 * (docs/reference/reconciliation.md#add-everything-when-no-model-decides). A refusal of the rate limiter is such a
 * reason too. These calls yield to other work when more than half of a minute's rate is used: otherwise a backlog of
 * reconciliations would delay extraction, and with it the recall of new memories.
 * @throws what `ModelCalls.run` throws
 */
export async function requestReconciliation(
  options: ReconciliationOptions,
  batch: ClaimedBatch,
  request: ReconciliationRequest,
  { signal }: Pick<JobAttempt, 'signal'>,
): Promise<ReconciliationAnswer | string> {
  let reason = 'no_model';
  for (const provider of options.providers) {
    const call = buildPromptCall(batch, {
      operation: 'reconciliation',
      provider,
      request: {
        requestId: `${batch.batchId}-${batch.fence}-reconciliation`,
        task: 'reconcile_memories',
        conversation: NO_CONVERSATION,
        prompt: request.prompt,
        maxOutputTokens: options.maxOutputTokens,
      },
      expectedTokens: estimateTokens(provider, request),
      yieldsToInteractive: true,
      timeoutMs: options.timeoutMs,
      signal,
      send: async (built) => ({ response: await provider.send(built) }),
    });
    const result = await options.calls.run(call);
    if (result.outcome === 'answered') return readAnswer(provider, result, request);
    if (result.outcome === 'failed') {
      reason = result.error.type;
      continue;
    }
    // Another provider has its own budget, so the next one is tried after a refusal too.
    reason = result.why;
  }
  return reason;
}

function readAnswer(
  provider: LLMProvider,
  call: AnsweredCall<{ readonly response: LLMResponse }>,
  request: ReconciliationRequest,
): ReconciliationAnswer {
  try {
    const reading = parseReconciliation(call.value.response.text, request.prompt);
    return { provider, call, reading, decisions: toStored(reading, request) };
  } catch (error) {
    if (!(error instanceof LLMError)) throw error;
    return { provider, call, reading: null, decisions: null };
  }
}

/** A decision for every open pair, and for every other pair that the model decided about. */
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
    // Later entries win: `replaces` takes precedence over `same`.
    ...decisions
      .toSorted((a, b) => b.verdict.localeCompare(a.verdict))
      .map(({ fact, memory, verdict }) => toDecision(hashes[fact]!, memories[memory]!, verdict)),
  ];
}

function estimateTokens(provider: LLMProvider, { prompt, hashes, memories }: ReconciliationRequest): number {
  const decisions = hashes.length + memories.length;
  return provider.estimateTokens(prompt.system + prompt.user) + decisions * TOKENS_PER_DECISION;
}
