import {
  type EditChange,
  type EditRefusal,
  isTombstone,
  parseVaultFile,
  planNewFile,
  type PlannedEdit,
  planFileEdit,
  type VaultMemory,
} from '@annals/domain';
import type { Candidate } from './candidates.js';

/** Why a file is left, or kept beside that of its memory. */
export type EditFault = EditRefusal | 'not_text' | 'too_large' | 'not_redacted' | 'writing_refused' | 'not_applied';

/** What may be written. */
export interface EditRules {
  /** Removes personal data and secrets. Throws when it cannot. */
  readonly redact: (text: string) => string;
  /** What to do about texts that the tenant refuses; null: nothing speaks against it. */
  readonly adviseAgainst: (change: EditChange) => string | null;
}

export interface RefusedEdit {
  readonly kind: 'refused';
  readonly reason: EditFault;
  /** What to do about each field. */
  readonly problems: readonly string[];
}
export type CandidatePlan = Exclude<PlannedEdit, { kind: 'refused' }> | RefusedEdit;

export interface PlanningContext {
  /** Epoch ms. */
  readonly now: number;
  readonly rules: EditRules;
  /** Memories of the user that files say they are, and what replaced them, by their ids. */
  readonly memories: ReadonlyMap<string, VaultMemory>;
  /** Whether the file of a memory is in its place, so that another one is a copy. */
  readonly isInPlace: (id: string) => boolean;
  /** The conversation in whose folder a path is; null: of none. */
  readonly threadOf: (path: string) => string | null;
}

/** The change that a file asks for, if the database can make it. */
export function planCandidate(candidate: Candidate, context: PlanningContext): CandidatePlan {
  const { kind, id } = candidate;
  const memory = id === null ? undefined : context.memories.get(id);
  if (kind === 'delete' || kind === 'restore') return planMove(kind, candidate, memory);
  try {
    const plan = planText(candidate, memory, context);
    if (plan.kind !== 'change') return plan;
    const advice = context.rules.adviseAgainst(plan);
    return advice === null ? plan : refused('writing_refused', [`content: ${advice}`]);
  } catch (error) {
    // Of one file: what is wrong with it must not stop what others wrote.
    return refused('not_redacted', [`content: ${error instanceof Error ? error.message : 'It cannot be redacted.'}`]);
  }
}

function planMove(
  kind: 'delete' | 'restore',
  { file, item }: Candidate,
  memory: VaultMemory | undefined,
): CandidatePlan {
  // It is gone, or in `deleted/` already.
  if (!memory || (kind === 'delete' && isTombstone(memory))) return { kind: 'same' };
  const { id: memoryId } = memory;
  const change = kind === 'delete' ? ({ kind, memoryId, by: 'user' } as const) : ({ kind, memoryId } as const);
  return { kind: 'change', change, text: null, isWhole: file === null || file.blob === item?.blob };
}

function planText(
  { kind, file, id }: Candidate,
  memory: VaultMemory | undefined,
  { now, rules, memories, isInPlace, threadOf }: PlanningContext,
): CandidatePlan {
  const { problem, text, path } = file!;
  if (problem !== null) return refused(problem === 'too_large' ? 'too_large' : 'not_text');
  const parsed = parseVaultFile(text);
  if (!parsed) return refused('unreadable');
  const context = { now, redact: rules.redact };
  if (memory && !(kind === 'add' && isInPlace(memory.id))) {
    const successor = memory.replacedBy === null ? null : (memories.get(memory.replacedBy)?.content ?? null);
    return planFileEdit(parsed, memory, { ...context, successor });
  }
  if (memory && parsed.content === memory.content.trim()) return { kind: 'same' };
  // Of a memory that is gone for good: its file goes with it.
  if (kind === 'edit') return { kind: 'same' };
  return planNewFile(parsed, { ...context, isCopy: id !== null, threadId: threadOf(path) });
}

function refused(reason: EditFault, problems: readonly string[] = []): RefusedEdit {
  return { kind: 'refused', reason, problems };
}
