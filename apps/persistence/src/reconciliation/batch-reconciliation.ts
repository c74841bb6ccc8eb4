import type { Clock, MergeBands } from '@annals/domain';
import type { Logger, LogProvider, Metrics } from '@annals/observability';
import type { BatchAttempt, ClaimedBatch } from '@annals/runtime';
import {
  type Database,
  findNeighbours,
  type NeighbourSearchResult,
  type PastReconciliation,
  settleReservation,
  storeReconciliation,
  type Tx,
} from '@annals/storage';
import {
  requestReconciliation,
  type ReconciliationOptions,
  buildReconciliationRequest,
  type ReconciliationRequest,
  type ReconciliationAnswer,
} from './request-reconciliation.js';
import {
  Decisions,
  type ClassifiedChanges,
  classifyStatements,
  MAX_NEIGHBOURS,
  type RequestedChanges,
} from './classify-statements.js';

export interface ReconciliationDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Null in a process without remote models: no model is called. */
  readonly callOptions: ReconciliationOptions | null;
}

/** The vectors of a batch's statements by content, of one embedding model, and that model's similarity bands. */
export interface StatementVectors {
  readonly model: string;
  readonly bands: MergeBands;
  readonly vectors: ReadonlyMap<string, Float32Array>;
}

/** Memories may change between the call and the write: then there is one more call; what is still open is added. */
const MAX_ROUNDS = 2;

/**
 * Compares one batch's statements with the user's memories: reads the nearest memories, lets a model decide about the
 * pairs that rules cannot, and stores its answer. Under the user's lock, the statements are classified again with the
 * memories of that time (docs/reference/reconciliation.md#decisions-are-stored-then-rechecked).
 */
export class BatchReconciliation {
  private readonly decisions = new Decisions();
  private neighbourhood: NeighbourSearchResult | null = null;
  private rounds = 0;
  private isOver = false;

  constructor(
    private readonly deps: ReconciliationDependencies,
    private readonly batch: ClaimedBatch,
    private readonly requestedChanges: RequestedChanges,
    private readonly statements: StatementVectors,
    past: readonly PastReconciliation[],
  ) {
    for (const { round, decisions } of past) {
      this.rounds = Math.max(this.rounds, round);
      this.decisions.add(decisions ?? []);
      // After an unreadable answer there is no further call.
      this.isOver ||= decisions === null;
    }
  }

  /**
   * Calls a model about open pairs, if there are any and a call is allowed. @throws what `requestReconciliation` throws
   */
  async requestDecisions(attempt: BatchAttempt): Promise<void> {
    if (!this.mayRequest()) return;
    const { tenantId } = this.batch;
    this.neighbourhood = await this.deps.database.readTenant(tenantId, (tx) => this.readNeighbourhood(tx));
    const { open } = this.classify(this.neighbourhood);
    if (open.length === 0) return;
    const request = buildReconciliationRequest(this.requestedChanges.changes, open);
    const answer = await requestReconciliation(this.deps.callOptions!, this.batch, request, attempt);
    if (typeof answer === 'string') this.giveUp(answer);
    else await this.storeAnswer(answer, request);
  }

  /** The changes to write; null when a model has to be called first. Called under the user's lock. */
  async decide(tx: Tx, chainSeq: number): Promise<RequestedChanges | null> {
    if (this.statements.vectors.size === 0) return this.requestedChanges;
    if (this.neighbourhood?.chainSeq !== chainSeq) this.neighbourhood = await this.readNeighbourhood(tx);
    const classified = this.classify(this.neighbourhood);
    return classified.open.length > 0 && this.mayRequest() ? null : classified;
  }

  private mayRequest(): boolean {
    const isAble = this.deps.callOptions !== null && this.statements.vectors.size > 0;
    return isAble && !this.isOver && this.rounds < MAX_ROUNDS;
  }

  private readNeighbourhood(tx: Tx): Promise<NeighbourSearchResult> {
    const { model, vectors, bands } = this.statements;
    const { userId } = this.batch;
    return findNeighbours(tx, { userId, model, vectors, limit: MAX_NEIGHBOURS, minCosine: bands.link });
  }

  private classify({ neighbours }: NeighbourSearchResult): ClassifiedChanges {
    const { vectors, bands } = this.statements;
    return classifyStatements(this.requestedChanges, { neighbours, vectors, bands, decisions: this.decisions });
  }

  /** Stores the answer and settles its cost in one transaction, before the decisions are used. */
  private async storeAnswer(answer: ReconciliationAnswer, request: ReconciliationRequest): Promise<void> {
    const { database, clock, metrics, logger } = this.deps;
    const { tenantId, batchId, userId } = this.batch;
    const { provider, call, decisions, reading } = answer;
    this.rounds += 1;
    const settlement = { ...call.settlement, ...(decisions ? {} : { outcome: 'parsing' as const }) };
    let written: 'committed' | 'gone' | 'not_written' = 'not_written';
    try {
      const settled = await database.inTenant(tenantId, async (tx) => {
        const outcome = await settleReservation(tx, settlement);
        await storeReconciliation(tx, {
          batchId,
          round: this.rounds,
          userId,
          provider: provider.name,
          model: provider.model,
          promptVersion: request.prompt.version,
          shown: request.pairs.map(({ hash, neighbour: { memoryId, revision } }) => ({ hash, memoryId, revision })),
          answer: call.value.text,
          decisions,
          now: clock.now(),
        });
        return outcome;
      });
      written = settled === 'settled' ? 'committed' : 'gone';
    } finally {
      await call.close(written);
    }
    if (!reading || !decisions) return this.giveUp('parsing');
    this.decisions.add(decisions);
    metrics.inc('memory_llm_reconciliations_total', { outcome: 'decided' });
    logger.info('reconciliation_decided', {
      tenantId,
      batchId,
      provider: provider.name as LogProvider,
      pairs: request.pairs.length,
      changed: reading.decisions.length,
      unknown: reading.unknown,
    });
  }

  /** Open statements are added (docs/reference/reconciliation.md#add-everything-when-no-model-decides). */
  private giveUp(reason: string): void {
    const { tenantId, batchId } = this.batch;
    this.isOver = true;
    this.deps.metrics.inc('memory_llm_reconciliations_total', {
      outcome: reason === 'parsing' ? 'not_understood' : 'not_answered',
    });
    this.deps.logger.warn('reconciliation_degraded', { tenantId, batchId, reason });
  }
}
