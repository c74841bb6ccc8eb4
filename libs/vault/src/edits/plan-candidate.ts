import {
  EDITABLE_FIELDS,
  type EditChange,
  type EditRefusal,
  hashContent,
  isSameText,
  isTombstone,
  MEMORY_FIELDS,
  type ParsedVaultFile,
  parseVaultFile,
  type PlannedEdit,
  planFileEdit,
  planNewFile,
  type VaultMemory,
  vaultPathOf,
} from '@annals/domain';
import { type EditNotes, followEdits } from '../projection/edit-notes.js';
import type { Candidate } from './candidates.js';

/** Why a file is left, or kept beside that of its memory. */
export type EditFault =
  EditRefusal | 'not_text' | 'too_large' | 'another_memory' | 'forgotten' | 'writing_refused' | 'not_applied';

/** A text cannot be redacted now, as without the key of the tenant: what others wrote does not wait for it. */
export class RedactionUnavailableError extends Error {
  override readonly name = 'RedactionUnavailableError';
}

/** What may be written. */
export interface EditRules {
  /** Removes personal data and secrets. Throws RedactionUnavailableError when it cannot now. */
  readonly redact: (text: string) => string;
  /** What to do about texts that the tenant refuses; null: nothing speaks against it. */
  readonly adviseAgainst: (change: EditChange) => string | null;
}

export type CandidatePlan =
  | Exclude<PlannedEdit, { kind: 'refused' }>
  | {
      readonly kind: 'refused';
      readonly reason: EditFault;
      /** What to do about each field. */
      readonly problems: readonly string[];
    }
  /** A file with nothing that the database does not have, and that is to go. */
  | { readonly kind: 'superfluous' }
  /** It cannot be said now: a later run looks again. */
  | { readonly kind: 'postponed' };

export interface PlanningContext {
  /** Epoch ms. */
  readonly now: number;
  readonly rules: EditRules;
  readonly notes: EditNotes;
  /** Memories of the user that files say they are, with what replaced them, by their ids. */
  readonly memories: ReadonlyMap<string, VaultMemory>;
  /** Those of these ids that a memory had which is gone for good. */
  readonly purged: ReadonlySet<string>;
  /** Whether the file of a memory is in its place, so that another one is a copy. */
  readonly isInPlace: (memory: VaultMemory, path: string) => boolean;
  /** The conversation in whose folder a path is; null: of none. */
  readonly threadOf: (path: string) => string | null;
}

/** The change that a file asks for, if the database can make it. */
export function planCandidate(candidate: Candidate, context: PlanningContext): CandidatePlan {
  const { kind, id } = candidate;
  const memory = id === null ? undefined : context.memories.get(id);
  if (kind === 'delete' || kind === 'restore') return planMove(kind, candidate, memory);
  const { problem, text } = candidate.file!;
  if (problem !== null) return refused(problem === 'too_large' ? 'too_large' : 'not_text');
  const parsed = parseVaultFile(text);
  if (!parsed) return refused('unreadable');
  let plan: CandidatePlan;
  try {
    plan = kind === 'edit' ? planInPlace(parsed, memory, context) : planAdded(candidate, parsed, memory, context);
  } catch (error) {
    if (!(error instanceof RedactionUnavailableError)) throw error;
    return { kind: 'postponed' };
  }
  if (plan.kind !== 'change') return plan;
  const advice = context.rules.adviseAgainst(plan);
  return advice === null ? plan : refused('writing_refused', [`content: ${advice}`]);
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

function planInPlace(
  parsed: ParsedVaultFile,
  memory: VaultMemory | undefined,
  context: PlanningContext,
): CandidatePlan {
  // Of a memory that is gone for good: its file goes with it.
  if (!memory) return { kind: 'same' };
  const { id } = parsed.fields;
  const named = typeof id === 'string' ? id.toLowerCase() : memory.id;
  const other = named === memory.id ? undefined : context.memories.get(named);
  if (named !== memory.id && context.purged.has(named)) return planForgotten(parsed, { kind: 'same' });
  // A file that was copied over this one must not end what this one says.
  if (other) return isSameText(parsed.content, other.content) ? { kind: 'same' } : refused('another_memory');
  return planOf(parsed, memory, context);
}

/** A file in a place that is no item's. */
function planAdded(
  { file, id }: Candidate,
  parsed: ParsedVaultFile,
  memory: VaultMemory | undefined,
  context: PlanningContext,
): CandidatePlan {
  const { now, rules, notes, memories, purged, isInPlace, threadOf } = context;
  const { path } = file!;
  if (!memory && id !== null && purged.has(id)) return planForgotten(parsed, { kind: 'superfluous' });
  if (memory) {
    if (!isInPlace(memory, path)) return planOf(parsed, memory, context);
    if (path === livePathOf(memory)) return planSavedAgain(parsed, memory, context);
    if (isSameText(parsed.content, memory.content)) return { kind: 'same' };
  }
  const became = notes.became[path];
  const current = became && memories.get(followEdits(notes, became.id));
  if (current && !isTombstone(current) && isContinuation(current.content, parsed.content))
    return planText(parsed, null, current, context);
  return planNewFile(parsed, { now, redact: rules.redact, isCopy: id !== null, threadId: threadOf(path) });
}

/** The file of a memory that was replaced or deleted is where it was before: an editor had it open, or somebody undid what they did. */
function planSavedAgain(parsed: ParsedVaultFile, memory: VaultMemory, context: PlanningContext): CandidatePlan {
  const { notes, memories } = context;
  const isSame = isSameText(parsed.content, memory.content);
  if (isSame && notes.deletions[memory.id] !== undefined && memory.deletedAt !== null)
    return { kind: 'change', change: { kind: 'restore', memoryId: memory.id }, text: null, isWhole: true };
  const last = followEdits(notes, memory.id);
  const current = last === memory.id ? undefined : memories.get(last);
  if (current && !isTombstone(current)) return planText(parsed, memory, current, context);
  return isSame ? planUnchanged(parsed) : refused('not_current');
}

/** A file as an edit of a memory that another file is of. `former`: whose file it was; null: of none. */
function planText(
  parsed: ParsedVaultFile,
  former: VaultMemory | null,
  memory: VaultMemory,
  context: PlanningContext,
): CandidatePlan {
  // What is as it was before says nothing of what it is now.
  const fields = Object.fromEntries(
    EDITABLE_FIELDS.flatMap((name) => {
      const value = parsed.fields[name];
      return value === undefined || value === former?.[name] ? [] : [[name, value]];
    }),
  );
  const plan = planOf({ ...parsed, fields, hasComments: false }, memory, context);
  if (plan.kind === 'same') return planUnchanged(parsed);
  return plan.kind === 'change' && hasMore(parsed) ? { ...plan, isWhole: false } : plan;
}

/** A file without which nothing is lost, but for what somebody wrote into its front matter. */
function planUnchanged(parsed: ParsedVaultFile): CandidatePlan {
  return hasMore(parsed) ? refused('read_only') : { kind: 'superfluous' };
}

/** Whether its front matter has something that no memory has. */
function hasMore({ fields, hasComments }: ParsedVaultFile): boolean {
  return hasComments || Object.keys(fields).some((name) => !MEMORY_FIELDS.has(name));
}

/** Of a memory that is gone for good: its own words do not come back. */
function planForgotten(parsed: ParsedVaultFile, ofOwnWords: CandidatePlan): CandidatePlan {
  return hashContent(parsed.content) === parsed.fields['hash'] ? ofOwnWords : refused('forgotten');
}

function planOf(
  parsed: ParsedVaultFile,
  memory: VaultMemory,
  { now, rules, memories }: PlanningContext,
): CandidatePlan {
  const successor = memory.replacedBy === null ? null : (memories.get(memory.replacedBy)?.content ?? null);
  return planFileEdit(parsed, memory, { now, redact: rules.redact, successor });
}

function livePathOf(memory: VaultMemory): string {
  return vaultPathOf({ ...memory, deletedAt: null, replacedBy: null, validTo: null, closedAt: null });
}

/** Characters that two texts must begin with alike: fewer say nothing. */
const MIN_ALIKE = 8;

/** Whether one of two texts is the other one, written on. */
function isContinuation(one: string, other: string): boolean {
  const [short, long] = [one, other]
    .map((text) => text.replace(/[\s.!?…]+$/, ''))
    .toSorted((a, b) => a.length - b.length);
  return short!.length >= MIN_ALIKE && long!.startsWith(short!);
}

function refused(reason: EditFault, problems: readonly string[] = []): CandidatePlan {
  return { kind: 'refused', reason, problems };
}
