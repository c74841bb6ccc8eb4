import { type FileStamp, isSameStamp, readStamp } from './file-stamp.js';
import type { FolderGuard } from './folder-guard.js';
import { hashText, MAX_VAULT_FILE_BYTES, readBytes } from './read-file.js';

/**
 * What must be at a path for it to be replaced or removed: nothing, the file with this stamp, or with this SHA-256 (hex)
 * of its bytes, as `readVaultFile` returns both.
 */
export type ExpectedFile = 'nothing' | FileStamp | { readonly hash: string };

/** Whether what is expected is there: `yes`, `no`, or `refused` when no regular file may be put there. */
export async function compareFile(
  guard: FolderGuard,
  relativePath: string,
  expected: ExpectedFile | undefined,
): Promise<'yes' | 'no' | 'refused'> {
  const stamp = await readStamp(guard.resolve(relativePath));
  if (stamp === 'refused') return 'refused';
  if (expected === undefined) return 'yes';
  if (expected === 'nothing') return stamp === null ? 'yes' : 'no';
  if (stamp === null) return 'no';
  if ('ino' in expected) return isSameStamp(stamp, expected) ? 'yes' : 'no';
  const found = await readBytes(guard, relativePath, MAX_VAULT_FILE_BYTES);
  return found.outcome === 'read' && hashText(found.bytes) === expected.hash ? 'yes' : 'no';
}
