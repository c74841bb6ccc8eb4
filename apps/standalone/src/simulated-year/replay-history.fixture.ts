/** A row of the audit history, as far as it decides about the state of a memory. */
export interface ReplayedRow {
  readonly event: string;
  readonly memory_id: string | null;
  readonly actor: string;
  readonly undone: string | null;
}

type State = 'active' | 'quarantined' | 'soft_deleted' | 'purged';

const STATES: Readonly<Record<string, State>> = {
  ADD: 'active',
  QUARANTINE: 'quarantined',
  DELETE: 'soft_deleted',
  TTL: 'soft_deleted',
  EVICT: 'soft_deleted',
  RESTORE: 'active',
  PURGE: 'purged',
};

function stateBehind({ event, undone }: ReplayedRow, before: State | undefined): State | undefined {
  if (event === 'UNDO' && undone === 'ADD') return 'soft_deleted';
  // A restored memory that is there already in the same words is merged with it.
  if (event === 'MERGE' && before === 'soft_deleted') return 'active';
  return STATES[event];
}

/** What a history says happened: each event by its actor, and the state of every memory behind the last of its rows. */
export function replayHistory(rows: readonly ReplayedRow[]) {
  const states = new Map<string, State>();
  const merged = new Set<string>();
  const counts: Record<string, number> = {};
  let deletedAlong = 0;
  const impossible: ReplayedRow[] = [];
  for (const row of rows) {
    const { event, memory_id: id, actor, undone } = row;
    const name = [event, ...(undone === null ? [] : [undone]), actor].join(' ');
    counts[name] = (counts[name] ?? 0) + 1;
    if (id === null) continue;
    const before = states.get(id);
    const after = stateBehind(row, before);
    if (event === 'MERGE') merged.add(id);
    if (event === 'UNDO') merged.delete(id);
    if (after === undefined) continue;
    // Nothing is added twice, deleted twice, restored while it holds, or changed once it is purged.
    if (
      after === before ||
      before === 'purged' ||
      (before === undefined) !== (event === 'ADD' || event === 'QUARANTINE')
    )
      impossible.push(row);
    if (event === 'DELETE' && merged.has(id)) deletedAlong += 1;
    states.set(id, after);
  }
  return { states, counts, deletedAlong, impossible };
}
