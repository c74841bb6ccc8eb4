import type { ChangeResult, MemoryChange, StoredMemory, WritePlan } from './types.js';

/** What was done by a write or about it, for the operational log (docs/reference/audit.md#operational-events). */
export interface WriteEvent {
  readonly node: string;
  readonly op: string;
  readonly status: 'ok' | 'skipped';
  readonly memoryId: string | null;
  readonly category: string | null;
  readonly sim: number | null;
}

/** How near the stored memories are to the new statements of a write, of all that were compared. */
export interface SimilarityCheck {
  /** Best cosine by content; contents without an entry have no neighbour at all. */
  readonly nearest: ReadonlyMap<string, number>;
  /** Whether any memory is near enough to be related. */
  readonly found: boolean;
}

/** A write as it was carried out. */
export interface CompletedWrite {
  /** The component that writes (docs/reference/audit.md#nodes-of-events). */
  readonly node: string;
  /** Whether the changes are all that was extracted from a batch of messages. */
  readonly isBatch: boolean;
  readonly changes: readonly MemoryChange[];
  /** Null when nothing was compared. */
  readonly similarity: SimilarityCheck | null;
  /** The rows that the plan was made on. */
  readonly stored: readonly StoredMemory[];
  readonly plan: WritePlan;
}

/**
 * The events of a write, in the order of its steps: `classify` of the batch, `search` of new statements, one event
 * for each change, and `link` for each memory that got relations.
 */
export function listWriteEvents(write: CompletedWrite): WriteEvent[] {
  const { isBatch, changes, similarity, plan } = write;
  const hasStatements = changes.some((change) => 'memory' in change);
  const rows = new Map([...write.stored, ...plan.updates, ...plan.inserts].map((row) => [row.id, row]));
  const aboutMemory = (memoryId: string) => {
    const row = rows.get(memoryId);
    return { node: nodeOf(write.node, row), memoryId, category: row?.category ?? null };
  };
  return [
    ...(isBatch ? [classification(write)] : []),
    ...(similarity && hasStatements ? [search(write, similarity)] : []),
    ...plan.results.flatMap((result, index) => {
      const change = changes[index]!;
      const done = operationOf(change, result);
      return done ? [{ ...aboutMemory(result.memoryId), ...done, sim: simOf(change, similarity) }] : [];
    }),
    ...Array.from(
      Map.groupBy(plan.links, ({ fromId }) => fromId),
      ([memoryId, links]): WriteEvent => {
        const sim = Math.max(...links.map(({ strength }) => strength));
        return { ...aboutMemory(memoryId), op: 'link', status: 'ok', sim };
      },
    ),
  ];
}

/** What happened in a conversation is told apart from other memories of it. */
function nodeOf(node: string, row: StoredMemory | undefined): string {
  return node === 'hotpath' && row?.type === 'episodic' ? 'episodic' : node;
}

function classification({ node, changes }: CompletedWrite): WriteEvent {
  const status = changes.length > 0 ? 'ok' : 'skipped';
  return { node, op: 'classify', status, memoryId: null, category: findSharedCategory(changes), sim: null };
}

function search({ node, changes }: CompletedWrite, { nearest, found }: SimilarityCheck): WriteEvent {
  const sim = nearest.size === 0 ? null : Math.max(...nearest.values());
  const status = found ? 'ok' : 'skipped';
  return { node, op: 'search', status, memoryId: null, category: findSharedCategory(changes), sim };
}

/** The category of all statements, or null when they have several. */
function findSharedCategory(changes: readonly MemoryChange[]): string | null {
  const categories = new Set(changes.flatMap((change) => ('memory' in change ? [change.memory.category] : [])));
  const [category] = categories;
  return categories.size === 1 ? category! : null;
}

function simOf(change: MemoryChange, similarity: SimilarityCheck | null): number | null {
  const statement = 'memory' in change ? change.memory : 'statement' in change ? change.statement : null;
  return statement ? (similarity?.nearest.get(statement.content) ?? null) : null;
}

type Operation = Pick<WriteEvent, 'op' | 'status'>;

/** Null for a missing memory, whose id may be an erased user's, and for one that a comparison leaves as it was. */
function operationOf(change: MemoryChange, { outcome, memoryId }: ChangeResult): Operation | null {
  if (outcome === 'not_found' || (change.kind === 'compare' && outcome !== 'merged')) return null;
  if (change.kind === 'observe' && change.matches?.sameAs?.memoryId === memoryId) return { op: 'merge', status: 'ok' };
  if (outcome === 'updated' && change.kind === 'edit' && change.reason) return { op: change.reason, status: 'ok' };
  if (outcome === 'deleted' && change.kind === 'delete') return DELETIONS[change.by];
  return OPERATIONS[outcome];
}

const DELETIONS = {
  user: { op: 'delete', status: 'ok' },
  ttl: { op: 'ttl', status: 'ok' },
  eviction: { op: 'evict', status: 'ok' },
  ground: { op: 'delete', status: 'ok' },
} as const;

const OPERATIONS: Record<Exclude<ChangeResult['outcome'], 'not_found'>, Operation> = {
  inserted: { op: 'create', status: 'ok' },
  updated: { op: 'update', status: 'ok' },
  unchanged: { op: 'update', status: 'skipped' },
  suppressed: { op: 'create', status: 'skipped' },
  quarantined: { op: 'quarantine', status: 'ok' },
  superseded: { op: 'update', status: 'ok' },
  inserted_ended: { op: 'create', status: 'ok' },
  merged: { op: 'merge', status: 'ok' },
  deleted: { op: 'delete', status: 'ok' },
  purged: { op: 'purge', status: 'ok' },
  restored: { op: 'restore', status: 'ok' },
  undone: { op: 'undo', status: 'ok' },
  released: { op: 'release', status: 'ok' },
  not_current: { op: 'update', status: 'skipped' },
  not_due: { op: 'purge', status: 'skipped' },
  not_deleted: { op: 'restore', status: 'skipped' },
  without_ground: { op: 'restore', status: 'skipped' },
  not_quarantined: { op: 'release', status: 'skipped' },
  not_undoable: { op: 'undo', status: 'skipped' },
  revision_conflict: { op: 'update', status: 'skipped' },
};
