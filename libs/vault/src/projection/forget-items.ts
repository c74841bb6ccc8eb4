import path from 'node:path';
import { ENTRIES_FOLDER, itemIdOfPath } from '@annals/domain';
import { listFiles, removeLeftovers } from '../files/list-files.js';
import { listBelow } from '../git/git-folder.js';
import type { VaultRepository } from '../git/repository.js';
import { toVaultError } from '../unavailable.js';
import { keptBy } from './kept-by.js';
import type { VaultIndex } from './vault-index.js';
import type { VaultWriter } from './vault-writer.js';

interface Forgetting {
  readonly folder: string;
  readonly index: VaultIndex;
  readonly writer: VaultWriter;
  readonly repository: VaultRepository | null;
  readonly openFormer: (() => Promise<VaultRepository>) | null;
  /** When something of the user was last forgotten; epoch ms. */
  readonly forgottenAt: number | null;
  /** Whose commits are those of Annals. */
  readonly author: string;
  /** Commits what was written, and saves the index. */
  readonly checkpoint: () => Promise<void>;
}

/** Takes out of the folder and its history what the database does not have any more (see `keptBy`). */
export async function forgetItems(run: Forgetting): Promise<void> {
  const { folder, index, writer, repository, openFormer, forgottenAt, author, checkpoint } = run;
  // A killed run can have left the words of a file that it was writing.
  await removeLeftovers(folder);
  const files = (await listFiles(folder)).map((file) => file.path);
  const { isKept, isKeptBlob } = keptBy(index, {
    hasLostWords: index.forgottenAt !== forgottenAt,
    files: new Set([...files, ...(await listEntries(folder))]),
    author,
  });
  // What somebody is told to mend stays in the folder.
  const isMended = (place: string) => index.edits.others[place]?.reason !== undefined;
  const left = files.filter((place) => !isKept(place) && !isMended(place));
  for (const place of left) {
    const item = index.find(itemIdOfPath(place) ?? '');
    // What somebody wrote about a memory that has left a conversation.
    if (item?.kind === 'memory') await writer.moveAside(place, item.path);
  }
  await writer.removePaths(left);
  await checkpoint();
  const history = repository ?? (await openFormer?.());
  await history?.forget({ keep: isKept, keepsBlob: isKeptBlob });
  if (repository) {
    // Where somebody had committed a version of their own, ours takes its place.
    writer.recommit(await repository.headFiles());
    await checkpoint();
  }
  index.mustForget = false;
  index.forgottenAt = forgottenAt;
  await index.save();
}

/** Whatever is below `entries/`, also hidden files and links: Git may have them. */
async function listEntries(folder: string): Promise<string[]> {
  const found = await listBelow(path.join(folder, ENTRIES_FOLDER)).catch((error: unknown) => {
    throw toVaultError(error, folder);
  });
  return found.map((place) => path.relative(folder, place));
}
