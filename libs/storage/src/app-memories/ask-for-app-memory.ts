import type { IdGenerator } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import { enqueueWork } from '../work/enqueue-work.js';

export interface AppMemoryRequest {
  /** Epoch ms. */
  readonly now: number;
  readonly ids: IdGenerator;
  /** W3C traceparent of what caused it. */
  readonly trace: string | null;
}

/**
 * Asks for app memories of conversations, in the transaction after which they may be due. Whether a conversation has an
 * app, and has ended, is for the mind to see.
 */
export function askForAppMemory(
  tx: Tx,
  conversationIds: readonly string[],
  { now, ids, trace }: AppMemoryRequest,
): Promise<number> {
  const requests = conversationIds.map((subjectId) => ({
    kind: 'app_memory' as const,
    subjectId,
    availableAt: now,
    trace,
  }));
  return enqueueWork(tx, requests, { now, ids });
}
