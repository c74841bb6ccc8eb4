import {
  allOf,
  loadBatchConversation,
  loadExtraction,
  loadReconciliations,
  type PastReconciliation,
  type StoredTurn,
  type Tx,
} from '@annals/storage';
import type { BatchFindings } from './build-changes.js';

/** What persistence works on; nothing when the batch has no extraction. */
export interface LoadedBatch extends Omit<BatchFindings, 'acceptedAt'> {
  readonly messages: readonly StoredTurn[];
  /** What models have decided about it, in attempts before this one. */
  readonly reconciliations: readonly PastReconciliation[];
}

/** A batch in this stage always has an extraction: both were committed together. One that is over may not. */
const NO_EXTRACTION: Omit<LoadedBatch, 'saidAt' | 'messages' | 'reconciliations'> = {
  provider: 'none',
  model: 'none',
  costMicroUsd: 0,
  items: [],
};

export async function loadBatch(tx: Tx, batchId: string): Promise<LoadedBatch> {
  const [extraction, { messages }, reconciliations] = await allOf([
    loadExtraction(tx, batchId),
    loadBatchConversation(tx, batchId, { contextMessages: 0 }),
    loadReconciliations(tx, batchId),
  ]);
  return {
    ...(extraction ?? NO_EXTRACTION),
    messages,
    saidAt: new Map(messages.map(({ id, saidAt }) => [id, saidAt])),
    reconciliations,
  };
}
