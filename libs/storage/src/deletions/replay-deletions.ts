import type { Database } from '../database/database.js';
import { CARRY_OUT, type ReplayDependencies } from './carry-out.js';
import { DELETION_KINDS, type DeletionKind, IMPORT_KINDS } from './deletion-kinds.js';
import { DeletionsFileError, type ListKeys, readDeletions } from './deletions-file.js';
import { findSubjects, type FoundSubject } from './find-subjects.js';
import { type Deletion, findDeletions, keepDeletion, listDeletions } from './stored-deletions.js';

const PAGE_ENTRIES = 500;
/** Entries whose subject is an id that Annals made, so nothing has to be looked for. */
const NAMED_KINDS: ReadonlySet<string> = new Set([
  'tenant',
  'conversation',
  'memory',
  'memory_forgotten',
  'message',
  'app_memory',
  'api_key',
]);
/** Kept for imports into the restored store; there is nothing to carry out. */
const KEPT_KINDS: ReadonlySet<string> = new Set(IMPORT_KINDS);
/** What an entry takes back. */
const TAKES_BACK: Readonly<Record<string, DeletionKind>> = { memory_restored: 'memory', insights_on: 'insights_off' };

export interface ReplayResult {
  /** Entries that the database did not have, by kind, and how many of them had something to delete. */
  readonly kinds: Readonly<Record<string, { readonly entries: number; readonly deleted: number }>>;
  /** Entries of the whole list. */
  readonly entries: number;
}

/**
 * Deletes what the list says and the database still has, entry by entry, each in a transaction that also stores the
 * entry: it can be interrupted and repeated. Of what was deleted and taken back, the last counts. With `isDryRun`,
 * nothing is changed, and `deleted` is 0.
 * @throws DeletionsFileError for a list that was changed, ends before the database's own entries, or has others
 */
export async function replayDeletions(
  database: Database,
  { file, keys, isDryRun }: { readonly file: string; readonly keys: ListKeys; readonly isDryRun: boolean },
  dependencies: ReplayDependencies,
): Promise<ReplayResult> {
  const { pending, unplaced, entries } = await findPending(database, file, keys);
  if (!isDryRun) {
    // Carried out before the backup was made, and exported after it.
    for (const deletion of unplaced) await database.inTenant(deletion.tenantId, (tx) => keepDeletion(tx, deletion));
  }
  const subjects = await findAllSubjects(database, pending);
  const effective = dropTakenBack(pending);
  const kinds: Record<string, { entries: number; deleted: number }> = {};
  for (const deletion of pending) {
    const count = (kinds[deletion.kind] ??= { entries: 0, deleted: 0 });
    count.entries += 1;
    if (isDryRun) continue;
    const found = subjects.get(subjectKey(deletion)) ?? [];
    const isDeleted = await database.inTenant(deletion.tenantId, async (tx) => {
      await tx.query(`SELECT set_config('annals.replays_deletions', 'on', true)`);
      await keepDeletion(tx, deletion);
      return (
        effective.has(deletion) && CARRY_OUT[deletion.kind as keyof typeof CARRY_OUT](tx, deletion, found, dependencies)
      );
    });
    if (isDeleted) count.deleted += 1;
  }
  return { kinds, entries };
}

/** The entries that the database does not have, in their order, and those that it has without their place. */
async function findPending(database: Database, file: string, keys: ListKeys) {
  const pending: Deletion[] = [];
  const unplaced: Deletion[] = [];
  let entries = 0;
  let last = 0;
  let page: Deletion[] = [];
  const compare = async () => {
    const [known, stored] = [
      await findDeletions(
        database,
        page.map(({ id }) => id),
      ),
      await listDeletions(database, (page[0]?.seq ?? 1) - 1, PAGE_ENTRIES),
    ];
    const places = new Map(stored.map(({ seq, id }) => [seq, id]));
    for (const deletion of page) {
      const place = known.get(deletion.id);
      const other = places.get(deletion.seq);
      if ((place !== undefined && place !== null && place !== deletion.seq) || (other ?? deletion.id) !== deletion.id) {
        throw new DeletionsFileError(
          `Entry ${deletion.seq} of ${file} is another one than in the database: deletions were exported after a restore and before this list was replayed. Restore the backup again and replay first.`,
        );
      }
      if (place === undefined) pending.push(deletion);
      if (place === null) unplaced.push(deletion);
    }
    page = [];
  };
  for await (const deletion of readDeletions(file, keys)) {
    if (!(DELETION_KINDS as readonly string[]).includes(deletion.kind)) {
      throw new DeletionsFileError(
        `Entry ${deletion.seq} of ${file} is of the kind "${deletion.kind}", which this release does not know: use the release that wrote the list.`,
      );
    }
    page.push(deletion);
    entries += 1;
    last = deletion.seq;
    if (page.length === PAGE_ENTRIES) await compare();
  }
  await compare();
  if ((await listDeletions(database, last, 1)).length > 0) {
    throw new DeletionsFileError(
      `${file} ends at entry ${last}, and the database has later ones: the list is older than the backup. Use the newest list.`,
    );
  }
  return { pending, unplaced, entries };
}

/** Where the caller's ids behind the subjects of each tenant and kind are. */
async function findAllSubjects(database: Database, pending: readonly Deletion[]) {
  const wanted = new Map<string, { tenantId: string; kind: DeletionKind; subjects: Set<string> }>();
  for (const { tenantId, kind, subject } of pending) {
    if (NAMED_KINDS.has(kind) || KEPT_KINDS.has(kind) || kind in TAKES_BACK) continue;
    const key = `${tenantId} ${kind}`;
    const group = wanted.get(key) ?? { tenantId, kind: kind as DeletionKind, subjects: new Set() };
    group.subjects.add(subject);
    wanted.set(key, group);
  }
  const all = new Map<string, readonly FoundSubject[]>();
  for (const { tenantId, kind, subjects } of wanted.values()) {
    const found = await database.readTenant(tenantId, (tx) => findSubjects(tx, kind, subjects));
    for (const [subject, ids] of found) all.set(subjectKey({ tenantId, kind, subject }), ids);
  }
  return all;
}

function subjectKey({ tenantId, kind, subject }: Pick<Deletion, 'tenantId' | 'kind' | 'subject'>): string {
  return `${tenantId} ${kind} ${subject}`;
}

/** Without entries that take others back or are only kept, and without those that a later one takes back. */
function dropTakenBack(pending: readonly Deletion[]): ReadonlySet<Deletion> {
  const latest = new Map<string, Deletion>();
  for (const deletion of pending) {
    latest.set(subjectKey({ ...deletion, kind: TAKES_BACK[deletion.kind] ?? deletion.kind }), deletion);
  }
  return new Set([...latest.values()].filter(({ kind }) => !(kind in TAKES_BACK) && !KEPT_KINDS.has(kind)));
}
