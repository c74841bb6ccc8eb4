import type { OpenPair, RequestedChanges, StoredDecision } from '@annals/domain';
import type { LogProvider } from '@annals/observability';
import type { JobAttempt, ClaimedBatch, Infrastructure } from '@annals/runtime';
import { type PastReconciliation, settleReservation, storeReconciliation } from '@annals/storage';
import {
  buildReconciliationRequest,
  type ReconciliationAnswer,
  type ReconciliationOptions,
  type ReconciliationRequest,
  requestReconciliation,
} from './request-reconciliation.js';

type ReconcileDependencies = Pick<Infrastructure, 'database' | 'clock' | 'logger' | 'metrics'>;

export interface ReconcileInput {
  /** Null in a process without remote models, and for statements without vectors: no pair is open then. */
  readonly callOptions: ReconciliationOptions | null;
  readonly requested: RequestedChanges;
  readonly open: readonly OpenPair[];
  readonly past: Reconciliation;
}

/** What models have decided about the statements of a batch so far. */
export interface Reconciliation {
  readonly decisions: readonly StoredDecision[];
  /** Answers so far. */
  readonly rounds: number;
  /** No further call is made: a model was not available, or its answer was unreadable. */
  readonly isOver: boolean;
}

/** Memories may change between the call and the write: then there is one more call; what is still open is added. */
const MAX_ROUNDS = 2;

export function resumeReconciliation(past: readonly PastReconciliation[]): Reconciliation {
  return {
    decisions: past.flatMap(({ decisions }) => decisions ?? []),
    rounds: Math.max(0, ...past.map(({ round }) => round)),
    isOver: past.some(({ decisions }) => decisions === null),
  };
}

export function isUnfinished({ rounds, isOver }: Reconciliation): boolean {
  return !isOver && rounds < MAX_ROUNDS;
}

/**
 * Lets a model decide about open pairs, and stores its answer before it is used
 * (docs/reference/reconciliation.md#decisions-are-stored-then-rechecked). Makes no call when no pair is open.
 * @throws what `requestReconciliation` throws
 */
export async function reconcile(
  deps: ReconcileDependencies,
  batch: ClaimedBatch,
  { callOptions, requested, open, past }: ReconcileInput,
  attempt: JobAttempt,
): Promise<Reconciliation> {
  if (!callOptions || open.length === 0) return past;
  const request = buildReconciliationRequest(requested.changes, open);
  const answer = await requestReconciliation(callOptions, batch, request, attempt);
  if (typeof answer === 'string') {
    reportDegraded(deps, batch, answer);
    return { ...past, isOver: true };
  }
  const rounds = past.rounds + 1;
  await storeAnswer(deps, batch, rounds, answer, request);
  const { reading, decisions } = answer;
  if (!reading || !decisions) {
    reportDegraded(deps, batch, 'parsing');
    return { ...past, rounds, isOver: true };
  }
  const { tenantId, batchId } = batch;
  deps.metrics.inc('memory_llm_reconciliations_total', { outcome: 'decided' });
  deps.logger.info('reconciliation_decided', {
    tenantId,
    batchId,
    provider: answer.provider.name as LogProvider,
    pairs: request.pairs.length,
    changed: reading.decisions.length,
    unknown: reading.unknown,
  });
  return { decisions: [...past.decisions, ...decisions], rounds, isOver: false };
}

/** Stores the answer and settles its cost in one transaction. */
async function storeAnswer(
  { database, clock }: ReconcileDependencies,
  { tenantId, batchId, userId }: ClaimedBatch,
  round: number,
  { provider, call, decisions }: ReconciliationAnswer,
  { prompt, pairs }: ReconciliationRequest,
): Promise<void> {
  const settlement = { ...call.settlement, ...(decisions ? {} : { outcome: 'parsing' as const }) };
  let written: 'committed' | 'gone' | 'not_written' = 'not_written';
  try {
    const settled = await database.inTenant(tenantId, async (tx) => {
      const outcome = await settleReservation(tx, settlement);
      await storeReconciliation(tx, {
        batchId,
        round,
        userId,
        provider: provider.name,
        model: provider.model,
        promptVersion: prompt.version,
        shown: pairs.map(({ hash, neighbour: { memoryId, revision } }) => ({ hash, memoryId, revision })),
        answer: call.value.response.text,
        decisions,
        now: clock.now(),
      });
      return outcome;
    });
    written = settled === 'settled' ? 'committed' : 'gone';
  } finally {
    await call.close(written);
  }
}

/** Open statements are added (docs/reference/reconciliation.md#add-everything-when-no-model-decides). */
function reportDegraded(
  { metrics, logger }: ReconcileDependencies,
  { tenantId, batchId }: ClaimedBatch,
  reason: string,
): void {
  const outcome = reason === 'parsing' ? 'not_understood' : 'not_answered';
  metrics.inc('memory_llm_reconciliations_total', { outcome });
  logger.warn('reconciliation_degraded', { tenantId, batchId, reason });
}
