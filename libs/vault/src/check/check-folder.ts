import { renderVaultFile, type VaultItem } from '@annals/domain';
import {
  listConversationItems,
  listVaultConversationIds,
  listVaultMemories,
  readVaultMemories,
  readVaultSummaries,
  readVaultTurns,
  type Tx,
  type VaultMark,
} from '@annals/storage';
import { mapFiles } from '../files/batches.js';
import { listFiles } from '../files/list-files.js';
import type { GitSettings } from '../git/git.js';
import { readDiskFile } from '../projection/disk-file.js';
import { type FileFinding, FolderComparison, type FoundBlob, NO_FILE } from './compare-files.js';
import { readLastCommit } from './last-commit.js';

/** Memories that are listed, items that are read with their words, and conversations that are listed together. */
const LIST_PAGE = 2_000;
const READ_PAGE = 500;
const CONVERSATIONS_PAGE = 100;

export interface FolderCheck {
  /** The folder of the user; null when there is none. */
  readonly folder: string | null;
  readonly userId: string;
  /** Null: without a Git history. */
  readonly git: GitSettings | null;
  /** One transaction of the user's tenant that only reads. */
  readonly read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
}

export interface CheckedFolder {
  /** Items that have a file. */
  readonly items: number;
  readonly findings: readonly FileFinding[];
}

/**
 * Compares the folder of a user with the database and with its last commit, and changes nothing. What is written meanwhile can be
 * found as a fault: compare again, and take what both found.
 * @throws {GitError | VaultUnavailableError}
 */
export async function checkFolder(check: FolderCheck): Promise<CheckedFolder> {
  const { folder, git } = check;
  const comparison = new FolderComparison(folder && git ? await readLastCommit(folder, git) : null);
  for await (const items of readItems(check)) await compareItems(comparison, folder, items);
  if (folder !== null) {
    await compareFiles(comparison, folder);
    comparison.addCommitted();
  }
  return { items: comparison.size, findings: comparison.findings };
}

async function compareItems(
  comparison: FolderComparison,
  folder: string | null,
  items: readonly VaultItem[],
): Promise<void> {
  const expected = items.map((item) => {
    const { path, blob } = renderVaultFile(item);
    return { id: item.id, path, blob };
  });
  const found = folder === null ? [] : await mapFiles(folder, expected, ({ path }) => readBlob(folder, path));
  for (const [at, file] of expected.entries()) comparison.addExpected(file, found[at] ?? null);
}

async function compareFiles(comparison: FolderComparison, folder: string): Promise<void> {
  const paths = (await listFiles(folder)).map(({ path }) => path);
  const toRead = paths.filter((path) => comparison.isToBeRead(path));
  const blobs = await mapFiles(folder, toRead, (path) => readBlob(folder, path));
  const found = new Map<string, FoundBlob>(toRead.map((path, at) => [path, blobs[at]!]));
  for (const path of paths) comparison.addFile(path, found.get(path) ?? null);
}

async function readBlob(folder: string, path: string): Promise<FoundBlob> {
  const found = await readDiskFile(folder, path);
  if (found.state === 'file') return found.blob;
  return found.state === 'missing' ? null : NO_FILE;
}

/** All items of a user that have a file, in pages. */
async function* readItems({ userId, read }: FolderCheck): AsyncGenerator<readonly VaultItem[]> {
  for (let after: string | null = null; ;) {
    const page: VaultMark[] = await read((tx) => listVaultMemories(tx, userId, { after, limit: LIST_PAGE }));
    for (const ids of pagesOf(page, READ_PAGE))
      yield read((tx) =>
        readVaultMemories(
          tx,
          userId,
          ids.map(({ id }) => id),
        ),
      );
    if (page.length < LIST_PAGE) break;
    after = page.at(-1)!.id;
  }
  const conversations = await read((tx) => listVaultConversationIds(tx, userId));
  for (const some of pagesOf(conversations, CONVERSATIONS_PAGE)) {
    const found = await read((tx) => listConversationItems(tx, some));
    const pick = (isTurn: boolean) => found.flatMap((item) => (item.isTurn === isTurn ? [item.id] : []));
    for (const ids of pagesOf(pick(true), READ_PAGE)) yield read((tx) => readVaultTurns(tx, userId, ids));
    for (const ids of pagesOf(pick(false), READ_PAGE)) yield read((tx) => readVaultSummaries(tx, userId, ids));
  }
}

function* pagesOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
