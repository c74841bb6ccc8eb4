import { findInventedFacts, findLostFacts } from '../meaning/kept-facts.js';
import { checkMergedForm } from './check-app-memory.js';
import { type AppMemory, type CompactionDecision, MAX_APP_MEMORIES } from './types.js';

/** The memories of an app and user with the one that was just made. */
export interface CompactionInput {
  readonly current: readonly AppMemory[];
  readonly fresh: AppMemory;
}

/** What a transaction does to get back to ten. */
export interface CompactionPlan {
  readonly removedIds: readonly string[];
  /** The memory that takes over the sources of the removed one; it keeps its creation date. */
  readonly edited: { readonly id: string; readonly content: string } | null;
}

export type CompactionFault =
  | 'unknown_target'
  /** Nothing would be removed. */
  | 'edit_of_new'
  | 'unfit_content'
  | 'lost_facts'
  | 'invented_facts';

/** Whether there are too many (docs/reference/app-memories.md#ten-of-each-app-and-user). */
export function needsCompaction(memories: readonly AppMemory[]): boolean {
  return memories.length > MAX_APP_MEMORIES;
}

/**
 * What is wrong with a decision about the memories that were shown (docs/reference/app-memories.md#one-decision); null
 * when it can be carried out. An edit has to keep every number, name, date and negation of both, and adds none.
 */
export function checkCompaction(
  decision: CompactionDecision,
  { current, fresh }: CompactionInput,
): CompactionFault | null {
  const target = [...current, fresh].find(({ id }) => id === decision.targetId);
  if (!target) return 'unknown_target';
  if (decision.action === 'delete') return null;
  if (target.id === fresh.id) return 'edit_of_new';
  const { newContent } = decision;
  if (checkMergedForm(newContent).length > 0) return 'unfit_content';
  const parts = [target.content, fresh.content];
  if (findLostFacts(parts, newContent).length > 0) return 'lost_facts';
  return findInventedFacts(parts, newContent).length > 0 ? 'invented_facts' : null;
}

/** Carries out a decision that was checked. */
export function planCompaction(decision: CompactionDecision, { fresh }: CompactionInput): CompactionPlan {
  if (decision.action === 'delete') return { removedIds: [decision.targetId], edited: null };
  return { removedIds: [fresh.id], edited: { id: decision.targetId, content: decision.newContent } };
}

/**
 * The way out when no decision can be had: the oldest are removed until ten are left, also when conversations that ended
 * at once have made more than eleven.
 */
export function planFifo(memories: readonly AppMemory[]): CompactionPlan {
  const oldestFirst = memories.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  const excess = Math.max(0, memories.length - MAX_APP_MEMORIES);
  return { removedIds: oldestFirst.slice(0, excess).map(({ id }) => id), edited: null };
}
