import {
  allOf,
  loadBatchConversation,
  loadExtraction,
  loadReconciliations,
  loadSaidTimes,
  type PastReconciliation,
  type StoredTurn,
  type Tx,
} from '@annals/storage';
import type { BatchFindings } from './build-changes.js';

/** The input of persistence for one batch; empty when the batch has no extraction. */
export interface LoadedBatch extends Omit<BatchFindings, 'acceptedAt'> {
  readonly messages: readonly StoredTurn[];
  /** Decisions of models from earlier attempts. */
  readonly reconciliations: readonly PastReconciliation[];
}

/** Of a finished batch; one in this stage always has an extraction, since both are committed together. */
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
  const { items } = extraction ?? NO_EXTRACTION;
  const saidAt = new Map(messages.map((message) => [message.id, message.saidAt]));
  // Work that ended in this batch may have begun in the one before.
  const earlier = items
    .filter(({ type }) => type === 'procedural')
    .flatMap(({ evidence }) => evidence.map(({ message_id }) => message_id))
    .filter((id) => !saidAt.has(id));
  const earlierSaidAt = earlier.length > 0 ? await loadSaidTimes(tx, batchId, earlier) : [];
  return {
    ...(extraction ?? NO_EXTRACTION),
    messages,
    saidAt: new Map([...saidAt, ...earlierSaidAt]),
    reconciliations,
  };
}
