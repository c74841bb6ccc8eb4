import { subjectSuffix, VAULT_STATE_FOLDER, vaultFolderOf } from '@annals/domain';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readWholeFile } from '../files/read-file.js';
import { removeFolder } from '../files/remove-folder.js';
import { writeFileAtomically } from '../files/write-file.js';
import { readErrorCode, toVaultError } from '../unavailable.js';

const OWNER_PATH = `${VAULT_STATE_FOLDER}/vault.json`;
const ROOT_MARKER = '.annals-vault.json';
const FORMAT = 1;
/** Not for other users of the machine. */
const FOLDER_MODE = 0o770;

/** What a repository does not keep: the state of Annals, and what editors keep for one machine. */
const IGNORED = [`/${VAULT_STATE_FOLDER}/`, '.annals-tmp-*', '.obsidian/workspace*', '.DS_Store'];

export interface VaultOwner {
  readonly tenantId: string;
  readonly userId: string;
  readonly subjectId: string;
}

/**
 * Makes the root of the vault usable. Returns whether it was one before: not when it is new, or its volume is an empty one.
 * @throws VaultUnavailableError
 */
export async function openVaultRoot(root: string, _options?: { mayCreate: boolean }): Promise<boolean> {
  try {
    await mkdir(root, { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    throw toVaultError(error, root);
  }
  if ((await readWholeFile(root, ROOT_MARKER)) !== null) return true;
  await writeFileAtomically(root, ROOT_MARKER, `${JSON.stringify({ format: FORMAT })}\n`);
  return false;
}

/**
 * The folder of a user, which is made when it is missing.
 * @throws VaultUnavailableError
 */
export async function openVaultFolder(root: string, { tenantId, userId, subjectId }: VaultOwner): Promise<string> {
  const folder = join(root, vaultFolderOf(tenantId, userId, subjectId));
  try {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    throw toVaultError(error, root);
  }
  const owner = `${JSON.stringify({ format: FORMAT, tenant_id: tenantId, user_id: userId, subject_id: subjectId }, null, 2)}\n`;
  if ((await readWholeFile(folder, OWNER_PATH)) !== owner) await writeFileAtomically(folder, OWNER_PATH, owner);
  if ((await readWholeFile(folder, '.gitignore')) === null) {
    await writeFileAtomically(folder, '.gitignore', `${IGNORED.join('\n')}\n`);
  }
  return folder;
}

/** Every folder of a subject, by the end of its name: the user's id may not be known any more. */
export async function findVaultFolders(root: string, tenantId: string, subjectId: string): Promise<string[]> {
  const names = await listFolders(join(root, tenantId));
  return names.filter((name) => name.endsWith(subjectSuffix(subjectId))).map((name) => join(root, tenantId, name));
}

/** The tenants that have a folder. */
export async function listVaultTenants(root: string): Promise<string[]> {
  const names = await listFolders(root);
  return names.filter((name) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name));
}

/** @throws VaultUnavailableError */
export async function removeVaultOfTenant(root: string, tenantId: string): Promise<void> {
  await removeFolder(join(root, tenantId));
}

/** No folder there: none. */
async function listFolders(place: string): Promise<string[]> {
  try {
    const entries = await readdir(place, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return [];
    throw toVaultError(error, place);
  }
}
