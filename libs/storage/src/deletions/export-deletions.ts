import type { Database } from '../database/database.js';
import { DeletionsFileError, type DeletionsFile } from './deletions-file.js';
import { listDeletions, numberDeletions } from './stored-deletions.js';

const PAGE_ROWS = 1_000;

/**
 * Appends to a list what was deleted since its last entry. Returns how many entries that were. Refuses a list that has
 * more entries than the database, or others: the database was restored, and has to forget these again first.
 * @throws DeletionsFileError
 */
export async function exportDeletions(database: Database, list: DeletionsFile): Promise<number> {
  await assertSameHistory(database, list);
  const end = await numberDeletions(database);
  let appended = 0;
  for (;;) {
    const page = await listDeletions(database, list.last?.seq ?? 0, PAGE_ROWS);
    const due = page.filter(({ seq }) => seq <= end);
    if (due.length > 0) await list.append(due);
    appended += due.length;
    if (due.length < PAGE_ROWS) return appended;
  }
}

/** Before anything is numbered: a restored database would give places away that the list has given already. */
async function assertSameHistory(database: Database, { file, last }: DeletionsFile): Promise<void> {
  if (last === null) return;
  const [same] = await listDeletions(database, last.seq - 1, 1);
  if (same?.seq === last.seq && same.id === last.id) return;
  throw new DeletionsFileError(
    `The list ${file} has deletions that the database does not know: the database was restored from a backup. Replay the list first (annals deletions --replay).`,
  );
}
