import type { ExtractedItem } from '@annals/contracts';
import { type BatchFindings, remapRelations } from '@annals/domain';
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
  const { items, ...findings } = extraction ?? NO_EXTRACTION;
  const hidden = new Set(messages.flatMap(({ id, isHidden }) => (isHidden ? [id] : [])));
  const saidAt = new Map(messages.map((message) => [message.id, message.saidAt]));
  // Work that ended in this batch may have begun in the one before.
  const earlier = items
    .filter(({ type }) => type === 'procedural')
    .flatMap(({ evidence }) => evidence.map(({ message_id }) => message_id))
    .filter((id) => !saidAt.has(id));
  const earlierSaidAt = earlier.length > 0 ? await loadSaidTimes(tx, batchId, earlier) : [];
  return {
    ...findings,
    // What they say was deleted after they were extracted.
    items: withoutHidden(items, hidden),
    messages,
    saidAt: new Map([...saidAt, ...earlierSaidAt]),
    reconciliations,
  };
}

/** The items that have evidence in a message that is not hidden, and those without evidence. */
export function withoutHidden(items: readonly ExtractedItem[], hidden: ReadonlySet<string>): ExtractedItem[] {
  const isKept = ({ evidence }: ExtractedItem) =>
    evidence.length === 0 || evidence.some(({ message_id }) => !hidden.has(message_id));
  if (items.every(isKept)) return [...items];
  let next = 0;
  const newIndexes = items.map((item) => (isKept(item) ? next++ : undefined));
  return remapRelations(items.filter(isKept), newIndexes);
}
