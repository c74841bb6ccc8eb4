import { type IdGenerator, SUMMARY_IDLE_MS } from '@annals/domain';
import { defineRead } from '../database/set-statement.js';
import type { Tx } from '../database/transaction.js';
import type { BatchEntity } from '../entities/batch.entity.js';
import { enqueueWork } from '../work/enqueue-work.js';

interface SummaryRequest {
  readonly now: number;
  readonly ids: IdGenerator;
  /** W3C traceparent of what caused it. */
  readonly trace: string | null;
  /** Epoch ms; by default as soon as the conversations are idle. */
  readonly availableAt?: number;
}

/** Asks for new summaries of conversations, in the transaction after which they may be due. */
export function askForSummaries(
  tx: Tx,
  conversationIds: readonly string[],
  { now, ids, trace, availableAt = now + SUMMARY_IDLE_MS }: SummaryRequest,
): Promise<number> {
  const requests = conversationIds.map((subjectId) => ({ kind: 'summary' as const, subjectId, availableAt, trace }));
  return enqueueWork(tx, requests, { now, ids, wakes: true });
}

/** The conversation of a batch; null when it was forgotten. */
export async function findConversationOfBatch(tx: Tx, batchId: string): Promise<string | null> {
  const [row] = await tx.each(CONVERSATION, { batch_id: batchId });
  return row?.conversation_id ?? null;
}

const CONVERSATION = defineRead<{ batch_id: string }, Pick<BatchEntity, 'conversation_id'>>(
  'batch_id uuid',
  'SELECT b.conversation_id FROM batches b WHERE b.id = given.batch_id OFFSET 0',
);
