import { allOf, loadBatchConversation, loadExtraction, type Tx } from '@annals/storage';
import type { BatchFindings } from './build-changes.js';

/** What persistence works on; nothing when the batch has no extraction. */
export type LoadedBatch = Omit<BatchFindings, 'acceptedAt'>;

/** A batch in this stage always has an extraction: both were committed together. One that is over may not. */
const NOTHING: Omit<LoadedBatch, 'saidAt'> = { provider: 'none', model: 'none', costMicroUsd: 0, items: [] };

export async function loadBatch(tx: Tx, batchId: string): Promise<LoadedBatch> {
  const [extraction, { messages }] = await allOf([
    loadExtraction(tx, batchId),
    loadBatchConversation(tx, batchId, { contextMessages: 0 }),
  ]);
  return { ...(extraction ?? NOTHING), saidAt: new Map(messages.map(({ id, saidAt }) => [id, saidAt])) };
}
