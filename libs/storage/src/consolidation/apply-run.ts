import { EDGE_TYPE, FINGERPRINT_TTL_MS, type MemoryChange, type PlannedLink, type RunChange } from '@annals/domain';
import { lockExistingUser } from '../audit/user-chain.js';
import type { Tx } from '../database/transaction.js';
import type { RelationEntity } from '../entities/memory.entity.js';
import { type MemoryWriteResult, type WriteDependencies, writeMemories } from '../memories/write-memories.js';
import { insertRunChanges, type RecordedChange } from './run-changes.js';

/** The actor in the audit history of what runs change. */
export const CONSOLIDATION_ACTOR = 'consolidation';

export interface PlannedRun {
  readonly runId: string;
  readonly userId: string;
  readonly changes: readonly RunChange[];
  /** Merges that the checks did not let through. */
  readonly refused: readonly RecordedChange[];
  /** Of merges whose text a model gave. */
  readonly model: { readonly provider: string; readonly model: string } | null;
  /** Decided pairs, not to be decided again for 14 days. */
  readonly fingerprints: readonly string[];
}

/** What a run did, as numbers. `skipped`: somebody changed a memory while the run decided, or the pair is related. */
export type AppliedRun = Readonly<Record<'merges' | 'links' | 'reranks' | 'refused' | 'skipped', number>>;

type Edge = Pick<RelationEntity, 'from_id' | 'to_id' | 'relation_type' | 'strength'>;

/**
 * Writes all changes of a run in the caller's transaction, through the one write path, with their records and the
 * fingerprints of what was decided. A merged memory takes over the relations of those that it replaces. Null when the
 * user was erased; nothing is written then.
 */
export async function applyRun(tx: Tx, run: PlannedRun, dependencies: WriteDependencies): Promise<AppliedRun | null> {
  const { runId, userId, changes } = run;
  const now = dependencies.clock.now();
  // What is read now is as it is at the end.
  const { user } = await lockExistingUser(tx, userId);
  if (!user) return null;
  const edges = await readEdges(tx, changes);
  const { command, positions, mergedAt } = buildCommand(run, edges);
  const written =
    command.changes.length + command.links.length === 0 ? null : await writeMemories(tx, command, dependencies);
  if (written !== null && written.outcome !== 'applied') return null;
  const records = changes.map((change, index) => recordChange(change, positions.get(index), written, mergedAt));
  await insertRunChanges(tx, { runId, userId, now }, [...records, ...run.refused]);
  await storeFingerprints(tx, { userId, fingerprints: run.fingerprints, now });
  const count = (kind: RunChange['kind']) =>
    records.filter(({ change, state }) => change === kind && state === 'written').length;
  return {
    merges: count('merge'),
    links: count('link'),
    reranks: count('rerank'),
    refused: run.refused.length,
    skipped: records.filter(({ state }) => state === 'skipped').length,
  };
}

/** Records what a run would change, and writes nothing else. */
export async function recordPlannedRun(tx: Tx, run: PlannedRun, now: number): Promise<AppliedRun> {
  const { runId, userId, changes, refused } = run;
  const planned = changes.map((change): RecordedChange => ({ ...describeChange(change), state: 'planned' }));
  await insertRunChanges(tx, { runId, userId, now }, [...planned, ...refused]);
  const count = (kind: RunChange['kind']) => changes.filter((change) => change.kind === kind).length;
  return {
    merges: count('merge'),
    links: count('link'),
    reranks: count('rerank'),
    refused: refused.length,
    skipped: 0,
  };
}

/** Relations of what a run merges or relates, in either direction. */
async function readEdges(tx: Tx, changes: readonly RunChange[]): Promise<readonly Edge[]> {
  const ids = changes.flatMap((change) =>
    change.kind === 'rerank' ? [] : change.parts.map(({ memoryId }) => memoryId),
  );
  if (ids.length === 0) return [];
  return tx.query<Edge>(
    `SELECT from_id, to_id, relation_type, strength FROM relations WHERE from_id = ANY ($1)
      UNION SELECT from_id, to_id, relation_type, strength FROM relations WHERE to_id = ANY ($1)
      ORDER BY from_id, to_id`,
    [ids],
  );
}

function buildCommand({ userId, changes, model }: PlannedRun, edges: readonly Edge[]) {
  const requested: MemoryChange[] = [];
  /** Of a change of the run its position among those of the command. */
  const positions = new Map<number, number>();
  const mergedAt = new Map<string, number>();
  for (const [index, change] of changes.entries()) {
    if (change.kind === 'link') continue;
    positions.set(index, requested.length);
    if (change.kind === 'merge') for (const { memoryId } of change.parts) mergedAt.set(memoryId, requested.length);
    requested.push(toMemoryChange(change, model));
  }
  const from = (id: string) => (mergedAt.has(id) ? { from: mergedAt.get(id)! } : { fromMemoryId: id });
  const to = (id: string) => (mergedAt.has(id) ? { to: mergedAt.get(id)! } : { toMemoryId: id });
  const inherited = edges
    .filter(({ from_id, to_id }) => mergedAt.has(from_id) || mergedAt.has(to_id))
    .map(({ from_id, to_id, relation_type, strength }) => {
      // From the new memory, whichever end it takes.
      const [near, far] = mergedAt.has(from_id) ? [from_id, to_id] : [to_id, from_id];
      return { ...from(near), ...to(far), relationType: relation_type, strength } as PlannedLink;
    });
  const related = changes.flatMap((change): PlannedLink[] => {
    if (change.kind !== 'link') return [];
    const [a, b] = change.parts;
    return [{ ...from(a.memoryId), ...to(b.memoryId), relationType: EDGE_TYPE, strength: change.strength }];
  });
  const command = {
    userId,
    actor: CONSOLIDATION_ACTOR,
    node: 'worker',
    changes: requested,
    links: [...inherited, ...related],
    existingUserOnly: true,
    isOwnWork: true,
  } as const;
  return { command, positions, mergedAt };
}

function toMemoryChange(change: Exclude<RunChange, { kind: 'link' }>, model: PlannedRun['model']): MemoryChange {
  if (change.kind === 'rerank') {
    const { memoryId, revision, to } = change;
    return { kind: 'edit', memoryId, expectedRevision: revision, patch: { importance: to }, reason: 'rerank' };
  }
  const [first, other] = change.parts;
  const { content, importance, validFrom } = change;
  return {
    kind: 'merge',
    memoryId: first.memoryId,
    expectedRevision: first.revision,
    other,
    content,
    importance,
    validFrom,
    model: change.reason === 'model' ? model : null,
  };
}

function describeChange(change: RunChange): Omit<RecordedChange, 'state'> {
  const nothing = { resultId: null, revisionsAfter: null };
  if (change.kind === 'rerank') {
    const { memoryId, revision, from, to, reason } = change;
    return {
      change: 'rerank',
      reason,
      memoryIds: [memoryId],
      revisionsBefore: [revision],
      numbers: { from, to },
      ...nothing,
    };
  }
  return {
    change: change.kind,
    reason: change.reason,
    memoryIds: change.parts.map(({ memoryId }) => memoryId),
    revisionsBefore: change.parts.map(({ revision }) => revision),
    numbers: change.kind === 'link' ? { strength: change.strength } : { importance: change.importance },
    ...nothing,
  };
}

function recordChange(
  change: RunChange,
  position: number | undefined,
  written: Extract<MemoryWriteResult, { outcome: 'applied' }> | null,
  mergedAt: ReadonlyMap<string, number>,
): RecordedChange {
  const described = describeChange(change);
  const revisions = new Map(written?.written.map(({ id, revision }) => [id, revision]));
  if (change.kind === 'link') {
    // A merged memory has the relations of its parts.
    const [a, b] = described.memoryIds.map((id) => {
      const merged = written?.results[mergedAt.get(id) ?? -1];
      return merged?.outcome === 'merged' ? merged.memoryId : id;
    });
    const isWritten = written?.links.some(
      ({ fromId, toId }) => (fromId === a && toId === b) || (fromId === b && toId === a),
    );
    if (!isWritten) return { ...described, state: 'skipped' };
    return { ...described, state: 'written', revisionsAfter: described.revisionsBefore };
  }
  const result = position === undefined ? undefined : written?.results[position];
  const isDone = result?.outcome === (change.kind === 'merge' ? 'merged' : 'updated');
  if (!isDone) return { ...described, state: 'skipped' };
  const after = described.memoryIds.map((id) => revisions.get(id)!);
  if (change.kind === 'rerank') return { ...described, state: 'written', revisionsAfter: after };
  const resultId = result.memoryId;
  return { ...described, state: 'written', resultId, revisionsAfter: [...after, revisions.get(resultId)!] };
}

/** Remembers decided pairs for 14 days. */
export async function storeFingerprints(
  tx: Tx,
  { userId, fingerprints, now }: { userId: string; fingerprints: readonly string[]; now: number },
): Promise<void> {
  await tx.execute(
    `INSERT INTO consolidation_fingerprints (user_id, fingerprint, expires_at)
     SELECT $1, f.fingerprint, $3 FROM unnest($2::text[]) AS f (fingerprint)
     ON CONFLICT (tenant_id, user_id, fingerprint) DO UPDATE SET expires_at = excluded.expires_at`,
    [userId, [...new Set(fingerprints)], new Date(now + FINGERPRINT_TTL_MS)],
  );
}
