import type { ContextField } from '@annals/contracts';
import {
  type ContextSignal,
  detectMemorySignals,
  detectSignals,
  type ObservedMemory,
  type ObservedMessage,
  planContext,
} from '@annals/domain';
import { lockUser } from '../audit/user-chain.js';
import type { Tx } from '../database/transaction.js';
import { applyContextPlan, type ContextDependencies } from './apply-context-plan.js';
import { loadContextBasis } from './load-context-basis.js';

/** A batch as consent is looked for in it. */
export interface ContextObservation {
  readonly userId: string;
  readonly messages: readonly ObservedMessage[];
  /** Those that were extracted and are grounded. */
  readonly memories: readonly ObservedMemory[];
}

/** What was inferred of a person. Nobody consents to an inference, so only tone and goals can be. */
export interface ContextInsight {
  readonly userId: string;
  readonly field: Extract<ContextField, 'tone' | 'goals_add'>;
  readonly value: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** The newest message that it rests on. */
  readonly messageId: string;
  /** Epoch ms. */
  readonly saidAt: number;
}

/** From here on an insight counts for itself (docs/reference/consent.md#two-signals-for-benign-fields). */
const HIGH_CONFIDENCE = 0.8;

/**
 * Reads what a batch says of its user's context and does what follows from it
 * (docs/reference/consent.md#signals-of-a-message). Call it in the transaction that writes the batch, so that a
 * repeated delivery does not count twice. Answers how many signals it found; without any it runs no statement.
 */
export async function observeContext(
  tx: Tx,
  { userId, messages, memories }: ContextObservation,
  dependencies: ContextDependencies,
): Promise<number> {
  const messageSignals = detectSignals(userId, messages);
  const memorySignals = detectMemorySignals(userId, memories, messages).filter(
    (signal) =>
      !messageSignals.some(({ field, messageId }) => field === signal.field && messageId === signal.messageId),
  );
  return applySignals(tx, userId, 'consent', [...messageSignals, ...memorySignals], dependencies);
}

/** Takes an insight in: applied at once when it is certain enough, one signal among others when it is not. */
export async function observeInsight(
  tx: Tx,
  { userId, confidence, ...insight }: ContextInsight,
  dependencies: ContextDependencies,
): Promise<number> {
  const kind = confidence >= HIGH_CONFIDENCE ? 'insight' : 'statement';
  return applySignals(tx, userId, 'insight', [{ ...insight, kind }], dependencies);
}

async function applySignals(
  tx: Tx,
  userId: string,
  actor: string,
  signals: readonly ContextSignal[],
  dependencies: ContextDependencies,
): Promise<number> {
  if (signals.length === 0) return 0;
  const now = dependencies.clock.now();
  const nextId = () => dependencies.ids.next();
  await lockUser(tx, userId, now);
  const basis = await loadContextBasis(tx, userId, nextId);
  const plan = planContext(basis, signals, { now, nextId });
  await applyContextPlan(tx, { userId, actor, basis, plan }, dependencies);
  return signals.length;
}
