import type { ExtractedItem } from '@annals/contracts';
import { currentTraceparent } from '@annals/observability';
import type { BatchEnding, ClaimedBatch, Infrastructure } from '@annals/runtime';
import { completeExtraction, deferBatch, type ExtractionResult, isTransientDatabaseError } from '@annals/storage';
import { setTimeout as wait } from 'node:timers/promises';
import type { ModelAnswer } from '../call-model/receive-answer.js';
import type { CategoryAssignmentReport } from '../constrain/assign-categories.js';
import type { WritingReport } from '../constrain/repair-writing.js';
import type { PreparedConversation } from '../prompt/prepare-conversation.js';
import type { ProcedureReport } from '../procedures/record-workflows.js';
import type { MultiFactReport } from '../second-pass/best-of-turns.js';

/** The memories of an answer that are written, and reports of how they were derived. */
export interface RepairedAnswer {
  readonly items: readonly ExtractedItem[];
  readonly writing: WritingReport;
  readonly multiFact: MultiFactReport | null;
  readonly procedures: ProcedureReport | null;
  readonly categoryAssignment: CategoryAssignmentReport | null;
}

/** The part of an extraction's result that does not depend on the lease. */
export type ExtractionDraft = Omit<ExtractionResult, 'batchId' | 'fence' | 'now' | 'trace'>;

/** For a batch without messages of users and work of agents: no call is made. */
const EMPTY_EXTRACTION: ExtractionDraft = {
  provider: 'none',
  model: 'none',
  notice: null,
  answer: '',
  items: [],
  settlement: null,
  promptVersion: null,
  diagnostics: null,
  prunedMessages: 0,
};

/** What is stored of an answer; null when no model was asked for one. */
export function toExtractionDraft(
  modelAnswer: ModelAnswer | null,
  { items, writing, multiFact, procedures, categoryAssignment }: RepairedAnswer,
  prepared: PreparedConversation | null,
): ExtractionDraft {
  if (!modelAnswer) {
    if (!procedures) return EMPTY_EXTRACTION;
    // Agents among themselves: nothing was asked of a model but the wording of their work.
    return { ...EMPTY_EXTRACTION, ...procedures.author, items: [...items], diagnostics: { procedures } };
  }
  const { received, answer, call } = modelAnswer;
  const { response, truncated } = received;
  const { repairs, dropped, adaptedFrom } = answer;
  // A local model has read the whole batch, without a prompt.
  const prompted = call ? prepared : null;
  return {
    provider: response.provider,
    model: response.model,
    notice: response.notice ?? null,
    answer: response.text,
    items: [...items],
    settlement: call?.settlement ?? null,
    promptVersion: prompted?.prompt.version ?? null,
    diagnostics: {
      selection: describeSelection(prompted),
      answer: { truncated, repairs, dropped, adaptedFrom },
      writing,
      multiFact,
      procedures,
      categoryAssignment,
    },
    prunedMessages: prompted?.fitted.selection.prunedCount ?? 0,
  };
}

/** Ids and numbers only (docs/reference/extraction.md#diagnostics-of-the-choice). */
function describeSelection(prepared: PreparedConversation | null): object | null {
  if (!prepared) return null;
  const { selection, omittedContextCount } = prepared.fitted;
  const { selectedIds, prunedIds, prunedCount, estimatedTokens, scores } = selection;
  const { promptTokens } = prepared;
  return { selectedIds, prunedIds, prunedCount, estimatedTokens, scores, omittedContextCount, promptTokens };
}

/** Long enough for a restart of PostgreSQL: if the commit fails, the answer has to be paid for again. */
const MAX_ATTEMPTS = 10;
const RETRY_DELAY_MS = 1_000;

/**
 * Commits an extraction, retrying while PostgreSQL is unavailable. `beforeCommit` runs before each attempt. Whatever
 * the outcome of an earlier attempt, the fence ensures that the batch is written once.
 */
export async function commitExtraction(
  { database, clock, ids }: Pick<Infrastructure, 'database' | 'clock' | 'ids'>,
  { tenantId, batchId, userId, fence }: ClaimedBatch,
  extraction: ExtractionDraft,
  { beforeCommit, signal }: { readonly beforeCommit: () => Promise<void>; readonly signal: AbortSignal },
): Promise<BatchEnding> {
  const result = { ...extraction, batchId, fence, trace: currentTraceparent() ?? null };
  for (let attempt = 1; ; attempt += 1) {
    try {
      await beforeCommit();
      const outcome = await database.inTenantTogether(tenantId, userId, (tx) =>
        completeExtraction(tx, { ...result, now: clock.now() }, ids),
      );
      return { ends: outcome === 'committed' ? 'done' : 'superseded' };
    } catch (error) {
      if (!isTransientDatabaseError(error) || attempt === MAX_ATTEMPTS || signal.aborted) throw error;
    }
    await wait(RETRY_DELAY_MS);
  }
}

/**
 * Defers a batch: it waits in the database, visibly and without using up an attempt
 * (docs/reference/circuit-breaker.md#deferral-while-the-circuit-is-open,
 * docs/reference/budgets.md#deferral-until-the-next-budget-day).
 */
export async function deferExtraction(
  { database, clock, logger, metrics }: Pick<Infrastructure, 'database' | 'clock' | 'logger' | 'metrics'>,
  { tenantId, batchId, fence }: ClaimedBatch,
  deferral: Extract<BatchEnding, { ends: 'deferred' }>,
): Promise<BatchEnding> {
  const { reason, shortfallMicroUsd, until: soonest } = deferral;
  const until = await database.inTenant(tenantId, (tx) =>
    deferBatch(tx, { batchId, fence, reason, shortfallMicroUsd, until: soonest, now: clock.now() }),
  );
  if (until === null) return { ends: 'superseded' };
  metrics.inc('memory_llm_batches_total', { state: 'deferred' });
  metrics.inc('memory_llm_deferrals_total', { reason });
  logger.info('batch_deferred', {
    tenantId,
    batchId,
    reason,
    until: new Date(until).toISOString(),
    ...(shortfallMicroUsd === null ? {} : { shortfall: shortfallMicroUsd }),
  });
  return deferral;
}
