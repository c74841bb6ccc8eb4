import { type ContextState, deletionSubject, type StoredMemory } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { DeletionKind } from './deletion-kinds.js';

/** Records a deletion for the list, with the transaction (docs/reference/deletions.md). `now`: epoch ms. */
export async function noteDeletion(tx: Tx, kind: DeletionKind, subject: string, now: number): Promise<void> {
  await tx.query('SELECT note_deletion($1, $2, $3)', [kind, subject, new Date(now)]);
}

export interface DeletionNote {
  readonly kind: DeletionKind;
  readonly subject: string;
  /** Epoch ms, if it was not now. */
  readonly at?: number;
}

/** The same for several, in their order. */
export async function noteDeletions(tx: Tx, notes: readonly DeletionNote[], now: number): Promise<void> {
  if (notes.length === 0) return;
  await tx.query(
    `SELECT note_deletion(n.kind, n.subject, n.at)
       FROM unnest($1::text[], $2::text[], $3::timestamptz[]) WITH ORDINALITY AS n (kind, subject, at, place)
      ORDER BY n.place`,
    [notes.map(({ kind }) => kind), notes.map(({ subject }) => subject), notes.map(({ at = now }) => new Date(at))],
  );
}

/** The same for what has ids of the caller, which the list does not contain. */
export function noteKeyedDeletion(tx: Tx, kind: DeletionKind, ids: readonly string[], now: number): Promise<void> {
  return noteDeletion(tx, kind, keyedSubject(tx, kind, ids), now);
}

export function keyedSubject(tx: Tx, kind: DeletionKind, ids: readonly string[]): string {
  return deletionSubject(tx.chainKey, { tenantId: tx.tenantId, kind }, ...ids);
}

/** Records which values a person took back: fields, goals, and the consent to insights. */
export async function noteContextDeletions(
  tx: Tx,
  userId: string,
  change: { readonly before: ContextState; readonly after: ContextState },
  now: number,
): Promise<void> {
  for (const { kind, ids } of listContextDeletions(change)) await noteKeyedDeletion(tx, kind, [userId, ...ids], now);
}

interface ContextDeletion {
  readonly kind: DeletionKind;
  readonly ids: readonly string[];
}

/** What a change of a context takes back. */
function listContextDeletions({
  before,
  after,
}: {
  readonly before: ContextState;
  readonly after: ContextState;
}): ContextDeletion[] {
  const { insights: insightsBefore, ...fields } = before.fields;
  const { insights: insightsAfter } = after.fields;
  const cleared = Object.entries(fields)
    .filter(
      ([field, { value }]) => value !== null && (after.fields[field as keyof typeof fields]?.value ?? null) === null,
    )
    .map(([field]) => ({ kind: 'context_field', ids: [field] }) as const);
  const kept = new Set(after.goals.map(({ value }) => value));
  const goals = before.goals.flatMap(({ value }) =>
    value === null || kept.has(value) ? [] : [{ kind: 'context_goal', ids: [value] } as const],
  );
  const [was, is] = [insightsBefore?.value === 'off', insightsAfter?.value === 'off'];
  const consent = was === is ? [] : [{ kind: is ? 'insights_off' : 'insights_on', ids: [] } as const];
  return [...cleared, ...goals, ...consent];
}

/** Records the words of memories that a user deleted and that are purged now: under another id, an import brings them. */
export async function noteForgottenWords(
  tx: Tx,
  userId: string,
  { stored, purges }: { readonly stored: readonly StoredMemory[]; readonly purges: readonly string[] },
  now: number,
): Promise<void> {
  if (purges.length === 0) return;
  const purged = new Set(purges);
  const notes = stored
    .filter(({ id, deletedBy }) => deletedBy === 'user' && purged.has(id))
    .map(({ hash, deletedAt }) => {
      return { kind: 'memory_words', subject: wordsSubject(tx, userId, hash), at: deletedAt ?? now } as const;
    });
  await noteDeletions(tx, notes, now);
}

export function wordsSubject(tx: Tx, userId: string, hash: string): string {
  return keyedSubject(tx, 'memory_words', [userId, hash]);
}

export function threadSubject(tx: Tx, userId: string, threadId: string): string {
  return keyedSubject(tx, 'conversation_thread', [userId, threadId]);
}

/** When each of the subjects was last deleted, of those that were; epoch ms. Subjects are those of `keyedSubject`. */
export async function findKeyedDeletions(tx: Tx, subjects: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (subjects.length === 0) return new Map();
  const rows = await tx.query<{ of_subject: string; last_at: Date }>(
    'SELECT of_subject, last_at FROM find_keyed_deletions($1)',
    [[...new Set(subjects)]],
  );
  return new Map(rows.map(({ of_subject: subject, last_at: at }) => [subject, at.getTime()]));
}
