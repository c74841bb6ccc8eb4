import type { ContextField } from '@annals/contracts';
import {
  type ContextSignal,
  detectMemorySignals,
  detectSignals,
  HIGH_CONFIDENCE,
  type ObservedMemory,
  type ObservedMessage,
  pauseInTransaction,
  planContext,
  runInSlices,
} from '@annals/domain';
import type { ChainDependencies } from '../audit/user-chain.js';
import type { Tx } from '../database/transaction.js';
import { changeContext } from './context-plan.js';

/** A batch in which signals for the user context are detected. */
export interface ContextObservation {
  readonly userId: string;
  readonly messages: readonly ObservedMessage[];
  /** Extracted memories that are grounded. */
  readonly memories: readonly ObservedMemory[];
}

/** What was inferred about a person. Nobody consents to an inference, so only tone and goals can be inferred. */
export interface ContextInsight {
  readonly userId: string;
  readonly field: Extract<ContextField, 'tone' | 'goals_add'>;
  readonly value: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** The newest message that it is based on. */
  readonly messageId: string;
  /** Epoch ms. */
  readonly saidAt: number;
}

/**
 * Detects signals for the user's context in a batch and applies them (docs/reference/consent.md#signals-of-a-message).
 * Call it in the transaction that writes the batch, so that a repeated delivery does not count twice. Returns how many
 * signals it found; without any it runs no statement.
 */
export async function observeContext(
  tx: Tx,
  { userId, messages, memories }: ContextObservation,
  dependencies: ChainDependencies,
): Promise<number> {
  const messageSignals = await runInSlices(detectSignals(userId, messages), pauseInTransaction);
  const memorySignals = detectMemorySignals(userId, memories, messages).filter(
    (signal) =>
      !messageSignals.some(({ field, messageId }) => field === signal.field && messageId === signal.messageId),
  );
  return applySignals(tx, userId, 'consent', [...messageSignals, ...memorySignals], dependencies);
}

/** Records an insight: applied immediately when it is certain enough, otherwise counted as one signal. */
export async function observeInsight(
  tx: Tx,
  { userId, confidence, ...insight }: ContextInsight,
  dependencies: ChainDependencies,
): Promise<number> {
  const kind = confidence >= HIGH_CONFIDENCE ? 'insight' : 'statement';
  return applySignals(tx, userId, 'insight', [{ ...insight, kind }], dependencies);
}

async function applySignals(
  tx: Tx,
  userId: string,
  actor: string,
  signals: readonly ContextSignal[],
  dependencies: ChainDependencies,
): Promise<number> {
  if (signals.length === 0) return 0;
  await changeContext(tx, { userId, actor }, (basis, options) => planContext(basis, signals, options), dependencies);
  return signals.length;
}
