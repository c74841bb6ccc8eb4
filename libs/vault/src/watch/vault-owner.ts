import { vaultFolderOf } from '@annals/domain';
import { join } from 'node:path';
import { z } from 'zod';
import { readWholeFile } from '../files/read-file.js';
import { OWNER_PATH, type VaultOwner } from '../projection/vault-folder.js';
import { VaultUnavailableError } from '../unavailable.js';

const ownerSchema = z.object({ tenant_id: z.uuid(), user_id: z.string().min(1), subject_id: z.uuid() });

/**
 * Whose folder of the vault `<tenant>/<user>` is, by what Annals wrote into it; null when that is missing, torn, or does not
 * fit the name of the folder, as in a copy of it.
 * @throws VaultUnavailableError
 */
export async function readVaultOwner(root: string, folder: string): Promise<VaultOwner | null> {
  const owner = parseOwner(await readOwnerFile(join(root, folder)));
  return owner && vaultFolderOf(owner.tenantId, owner.userId, owner.subjectId) === folder ? owner : null;
}

async function readOwnerFile(folder: string): Promise<string | null> {
  try {
    return await readWholeFile(folder, OWNER_PATH);
  } catch (error) {
    if (error instanceof VaultUnavailableError && error.code === 'ENOENT') return null;
    throw error;
  }
}

function parseOwner(text: string | null): VaultOwner | null {
  if (text === null) return null;
  try {
    const { tenant_id: tenantId, user_id: userId, subject_id: subjectId } = ownerSchema.parse(JSON.parse(text));
    return { tenantId, userId, subjectId };
  } catch {
    return null;
  }
}
