import type { Config } from '@annals/config';
import { buildChanges, classifyStatements, type RequestedChanges } from '@annals/domain';
import type { LLMProvider } from '@annals/llm-core';
import {
  type JobAttempt,
  type BatchEnding,
  BatchSteps,
  type ClaimedBatch,
  CONFIG,
  type Infrastructure,
  INFRASTRUCTURE,
} from '@annals/runtime';
import { findComparedNeighbours, type StatementComparison } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { writeBatch } from './commit/write-batch.js';
import { ContentEmbedder } from './embed/content-embedder.js';
import { type EmbeddedStatements, embedStatements } from './embed/embed-statements.js';
import type { LoadedBatch } from './load/load-batch.js';
import { isUnfinished, reconcile, type Reconciliation, resumeReconciliation } from './reconcile/reconcile-batch.js';
import type { ReconciliationOptions } from './reconcile/request-reconciliation.js';

/** The remote providers for reconciliation, in order of preference; without one, no model is called. */
export const DECIDERS = Symbol('Deciders');

/** A batch whose statements are ready to be compared with stored memories. */
interface EmbeddedBatch {
  readonly batch: ClaimedBatch;
  readonly loaded: LoadedBatch;
  readonly attempt: JobAttempt;
  readonly requested: RequestedChanges;
  readonly embedded: EmbeddedStatements;
}

/** Writes the extracted memories of a batch: embeds and reconciles them first, then writes all in one transaction. */
@Injectable()
export class PersistenceService {
  /** Null in a process without remote models: no model is called. */
  private readonly callOptions: ReconciliationOptions | null;

  constructor(
    @Inject(INFRASTRUCTURE) private readonly infrastructure: Infrastructure,
    @Inject(ContentEmbedder) private readonly embedder: ContentEmbedder,
    @Inject(DECIDERS) providers: readonly LLMProvider[],
    @Inject(CONFIG) { llm }: Config<'llm'>,
  ) {
    const { modelCalls: calls } = infrastructure;
    this.callOptions = calls && providers.length > 0 ? { providers, calls, ...llm } : null;
  }

  persistBatch(batch: ClaimedBatch, loaded: LoadedBatch, attempt: JobAttempt): Promise<BatchEnding> {
    const { infrastructure, embedder } = this;
    return BatchSteps.from({ batch, loaded, attempt })
      .step('requested', () => buildChanges({ ...loaded, acceptedAt: batch.acceptedAt }))
      .step('embedded', () => embedStatements(infrastructure, embedder, batch, loaded, attempt))
      .step('reconciliation', () => resumeReconciliation(loaded.reconciliations))
      .end((known) => this.compareAndWrite(known, known.reconciliation));
  }

  /** These steps are repeated when memories have changed since a model was shown them, or there are new ones. */
  private compareAndWrite(compared: EmbeddedBatch, past: Reconciliation): Promise<BatchEnding> {
    const { infrastructure } = this;
    const { batch, loaded, attempt, requested, embedded } = compared;
    const { embeddings, statements } = embedded;
    const callOptions = statements.vectors.size > 0 ? this.callOptions : null;
    const mayCall = (reconciliation: Reconciliation) => callOptions !== null && isUnfinished(reconciliation);
    return BatchSteps.from({})
      .step('neighbourhood', async () => {
        // The write reads the neighbours that it has not been given.
        if (!mayCall(past)) return null;
        const { tenantId, userId } = batch;
        return infrastructure.database.readTenant(tenantId, (tx) => findComparedNeighbours(tx, userId, statements));
      })
      .step('open', ({ neighbourhood }) => {
        if (!neighbourhood) return [];
        return classifyStatements(requested, { ...statements, ...neighbourhood, ...past }).open;
      })
      .step('reconciliation', ({ open }) =>
        reconcile(infrastructure, batch, { callOptions, requested, open, past }, attempt),
      )
      .step('comparison', ({ neighbourhood, reconciliation }): StatementComparison => {
        const openPairs = mayCall(reconciliation) ? 'refuse' : 'add';
        return { kind: 'classify', ...statements, decisions: reconciliation.decisions, neighbourhood, openPairs };
      })
      .step('written', ({ comparison }) =>
        writeBatch(infrastructure, batch, { requested, comparison, embeddings, loaded }, attempt),
      )
      .end(async ({ written, reconciliation }) => {
        if (written.outcome === 'undecided') return this.compareAndWrite(compared, reconciliation);
        // The batch has left the outbox, so another one of its tenant may be released.
        infrastructure.relay.kick();
        return { ends: written.outcome === 'applied' || written.outcome === 'erased' ? 'done' : 'superseded' };
      });
  }
}
