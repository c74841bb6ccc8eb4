import { addGlobalMemorySchema, patchMemorySchema } from '@annals/contracts';
import { composeNewMemory, composeSuccessor, fitsProcedural } from '../writes/manual-memory.js';
import type { MemoryChange } from '../writes/types.js';
import { hasConflictMarkers, type ParsedVaultFile } from './parse-vault-file.js';
import { frontMatterOf } from './render-vault-file.js';
import { isTombstone, type VaultMemory } from './vault-item.js';

/**
 * Why something that was written into a file is not taken over. `unreadable`: its front matter is no YAML; `merge_markers`: a merge is not
 * finished in it; `invalid`: the API would refuse it; `not_current`: the memory was changed or deleted meanwhile; `read_only`:
 * only fields were changed that Annals sets.
 */
export type EditRefusal = 'unreadable' | 'merge_markers' | 'invalid' | 'not_current' | 'read_only';

/** A change that a file asks for. `text`: the content as somebody wrote it, before redaction; null: it stays. */
export interface EditChange {
  readonly kind: 'change';
  readonly change: MemoryChange;
  readonly text: string | null;
  /** Whether it is everything that was changed in the file. */
  readonly isWhole: boolean;
}

export type PlannedEdit =
  /** The file says what the database has. */
  | { readonly kind: 'same' }
  | EditChange
  /** `problems`: what to do about each field; only of `invalid`. */
  | { readonly kind: 'refused'; readonly reason: EditRefusal; readonly problems: readonly string[] };

export interface EditContext {
  /** Epoch ms. */
  readonly now: number;
  readonly redact: (text: string) => string;
}

/** The category of what is written into a new file without one. */
const DEFAULT_CATEGORY = 'profile';
/** Fields of the front matter that people may change. */
export const EDITABLE_FIELDS = ['category', 'importance', 'pinned'] as const;

/**
 * What somebody's version of the file of `memory` asks for (docs/reference/vault.md#what-people-write). The words of a memory never change, so its
 * id tells which words were edited; its revision, whether the other fields are those that the database has. `successor`: the content
 * of what replaced the memory.
 */
export function planFileEdit(
  file: ParsedVaultFile,
  memory: VaultMemory,
  { now, redact, successor }: EditContext & { readonly successor: string | null },
): PlannedEdit {
  const text = isSameText(file.content, memory.content) ? null : file.content;
  const isUpToDate = Number(file.fields['revision'] ?? memory.revision) === memory.revision;
  const patch = patchOf(file, memory);
  const hasMore = file.hasComments || hasOtherFields(file, memory, isUpToDate);
  if (text === null && Object.keys(patch).length === 0) return hasMore ? refused('read_only') : { kind: 'same' };
  if (text !== null && hasConflictMarkers(text)) return refused('merge_markers');
  if (isTombstone(memory)) {
    // A run that was killed behind its transaction finds an edit that was taken over already.
    const isTaken = text !== null && successor !== null && isSameText(redact(text), successor);
    return isTaken ? { kind: 'same' } : refused('not_current');
  }
  // Behind a change of the database, a field that differs may be what it was before.
  if (text === null && !isUpToDate) return refused('not_current');
  const taken = isUpToDate ? patch : {};
  const isWhole = !hasMore && (isUpToDate || Object.keys(patch).length === 0);
  const parsed = patchMemorySchema.safeParse({ ...taken, ...(text === null ? {} : { content: text }) });
  if (!parsed.success) return invalid(parsed.error.issues);
  const { content, ...edit } = parsed.data;
  if (!fitsProcedural(memory.type, edit.category ?? memory.category))
    return invalid([{ path: ['category'], message: 'Only procedures belong to the category procedural.' }]);
  const { id: memoryId } = memory;
  if (content === undefined) return { kind: 'change', change: { kind: 'edit', memoryId, patch: edit }, text, isWhole };
  const successorOf = composeSuccessor(memory, { ...edit, content: redact(content) }, now);
  return { kind: 'change', change: { kind: 'supersede', memoryId, memory: successorOf }, text, isWhole };
}

/**
 * What a file asks for that is no memory's. `isCopy`: it was made of the file of another one, whose time is not its own. `threadId`: of the
 * conversation in whose folder it is; null: none.
 */
export function planNewFile(
  file: ParsedVaultFile,
  { now, redact, isCopy, threadId }: EditContext & { readonly isCopy: boolean; readonly threadId: string | null },
): PlannedEdit {
  if (hasConflictMarkers(file.content)) return refused('merge_markers');
  if ((file.fields['role'] ?? 'memory') !== 'memory')
    return invalid([{ path: ['role'], message: 'Only memories can be added. Remove the role, or write “memory”.' }]);
  const { category = DEFAULT_CATEGORY, ...fields } = file.fields;
  const taken = isCopy ? ADDED.filter((name) => !OF_THE_ORIGINAL.has(name)) : ADDED;
  const given = taken.flatMap((name) => (fields[name] === undefined || fields[name] === null ? [] : [name]));
  const parsed = addGlobalMemorySchema.safeParse({
    ...Object.fromEntries(given.map((name) => [name, fields[name]])),
    content: file.content,
    category,
  });
  if (!parsed.success) return invalid(parsed.error.issues);
  const { content, steps } = parsed.data;
  const input = {
    ...parsed.data,
    content: redact(content),
    ...(steps ? { steps: steps.map((step) => redact(step)) } : {}),
  };
  const memory = composeNewMemory(threadId === null ? input : { ...input, thread_id: threadId }, now);
  const isTaken = (name: string) =>
    given.includes(name as (typeof given)[number]) || name === 'role' || (isCopy && MEMORY_FIELDS.has(name));
  const isWhole = !file.hasComments && Object.keys(fields).every(isTaken);
  return { kind: 'change', change: { kind: 'observe', memory }, text: content, isWhole };
}

/** Fields of a new file that are taken over; of a copy, some are those of the memory that it was made of. */
const ADDED = ['type', 'importance', 'confidence', 'pinned', 'valid_from', 'steps'] as const;
const OF_THE_ORIGINAL: ReadonlySet<string> = new Set(['confidence', 'valid_from']);

/** Whatever line ends they have. */
export function isSameText(one: string, other: string): boolean {
  const plain = (text: string) => text.replaceAll(/\r\n?/g, '\n').trim();
  return plain(one) === plain(other);
}

function patchOf({ fields }: ParsedVaultFile, memory: VaultMemory): Record<string, unknown> {
  const changed = EDITABLE_FIELDS.filter(
    (field) => fields[field] !== undefined && asText(fields[field]) !== asText(memory[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, fields[field]]));
}

/** Whether something was written into the front matter that no change takes over. */
function hasOtherFields({ fields }: ParsedVaultFile, memory: VaultMemory, isUpToDate: boolean): boolean {
  const own = frontMatterOf(memory);
  const isEditable = (name: string) => (EDITABLE_FIELDS as readonly string[]).includes(name);
  return Object.entries(fields).some(([name, value]) => {
    if (isEditable(name)) return false;
    // Of another revision, what it was then is not known.
    if (name in own) return isUpToDate && asText(value) !== asText(own[name]);
    return isUpToDate || !VANISHING.includes(name);
  });
}

/** All fields of a memory's front matter. */
export const MEMORY_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'role',
  'conversation_id',
  'created_at',
  'replaced_by',
  'deleted_at',
  'deleted_by',
  'category',
  'type',
  'origin',
  'importance',
  'confidence',
  'pinned',
  'valid_from',
  'valid_to',
  'revision',
  'hash',
  'sources',
]);
/** Those that it can lose. */
const VANISHING = ['replaced_by', 'deleted_at', 'deleted_by', 'valid_to', 'sources', 'conversation_id'];

/** However an editor quotes it. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function refused(reason: EditRefusal): PlannedEdit {
  return { kind: 'refused', reason, problems: [] };
}

function invalid(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): PlannedEdit {
  const problems = issues.map(
    ({ path, message }) => `${path.length === 0 ? 'file' : path.map(String).join('.')}: ${message}`,
  );
  return { kind: 'refused', reason: 'invalid', problems };
}
