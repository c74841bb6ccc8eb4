import { subjectSuffix, VAULT_STATE_FOLDER, vaultFolderOf } from '@annals/domain';
import type { Dirent } from 'node:fs';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readWholeFile } from '../files/read-file.js';
import { removeFolder } from '../files/remove-folder.js';
import { writeFileAtomically } from '../files/write-file.js';
import { readErrorCode, toVaultError, VaultUnavailableError } from '../unavailable.js';
import { writeOwnFile } from './own-file.js';

export const OWNER_PATH = `${VAULT_STATE_FOLDER}/vault.json`;
const ROOT_MARKER = '.annals-vault.json';
const FORMAT = 1;
/** Not for other users of the machine. */
const FOLDER_MODE = 0o770;

/** What people wrote that did not become memories, and why. */
export const NOT_TAKEN_PATH = 'not-taken.md';
/** What a repository does not keep: the state of Annals, and what editors keep for one machine. */
const IGNORED = [`/${VAULT_STATE_FOLDER}/`, `/${NOT_TAKEN_PATH}`, '.annals-tmp-*', '.obsidian/workspace*', '.DS_Store'];
export const IGNORE_PATH = '.gitignore';
export const IGNORE_TEXT = `${IGNORED.join('\n')}\n`;

export interface VaultOwner {
  readonly tenantId: string;
  readonly userId: string;
  readonly subjectId: string;
}

/**
 * That the root is the vault's, and not the empty place where its volume is not mounted.
 * @throws VaultUnavailableError
 */
export async function requireVaultRoot(root: string): Promise<void> {
  if ((await readRoot(root)) === null) throw new VaultUnavailableError('ENOENT', root);
}

/**
 * Makes the root of the vault usable, and returns which one it is. `known`: which one it has to be; null: any, and a new folder
 * becomes `next`.
 * @throws VaultUnavailableError also for another one, or an empty place where it has to be
 */
export async function openVaultRoot(
  root: string,
  { known, next }: { readonly known: string | null; readonly next: string },
): Promise<string> {
  const found = await readRoot(root);
  if (known !== null) {
    if (found !== known) throw new VaultUnavailableError('ENOENT', root);
    return known;
  }
  if (found !== null) return found;
  try {
    await mkdir(root, { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    const code = readErrorCode(error);
    if (code === 'EEXIST' || code === 'ENOTDIR') throw new VaultUnavailableError('ENOTDIR', root, { cause: error });
    throw toVaultError(error, root);
  }
  await writeOwnFile(root, ROOT_MARKER, `${JSON.stringify({ format: FORMAT, vault_id: next })}\n`);
  return next;
}

/** The id of the vault that a folder is; null: none. */
export async function readRoot(root: string): Promise<string | null> {
  const text = existsSync(join(root, ROOT_MARKER)) ? await readWholeFile(root, ROOT_MARKER) : null;
  const [, id] = /"vault_id": ?"([0-9a-f-]{36})"/.exec(text ?? '') ?? [];
  return id ?? null;
}

/**
 * The folder of a user, which is made when it is missing, below a root that is there.
 * @throws VaultUnavailableError also for a link in its place or in that of its tenant's folder
 */
export async function openVaultFolder(root: string, { tenantId, userId, subjectId }: VaultOwner): Promise<string> {
  await requireVaultRoot(root);
  const folder = join(root, vaultFolderOf(tenantId, userId, subjectId));
  await makeFolder(dirname(folder));
  await makeFolder(folder);
  const owner = `${JSON.stringify({ format: FORMAT, tenant_id: tenantId, user_id: userId, subject_id: subjectId }, null, 2)}\n`;
  if ((await readWholeFile(folder, OWNER_PATH)) !== owner) await writeOwnFile(folder, OWNER_PATH, owner);
  if ((await readWholeFile(folder, IGNORE_PATH)) === null) {
    // Something else there is a person's, and stays.
    await writeFileAtomically(folder, IGNORE_PATH, IGNORE_TEXT);
  }
  return folder;
}

/** Without those above it, and without following a link in its place. */
async function makeFolder(place: string): Promise<void> {
  try {
    await mkdir(place, { mode: FOLDER_MODE });
  } catch (error) {
    const code = readErrorCode(error);
    // Removed meanwhile, as the folder of a tenant that is deleted.
    if (code === 'ENOENT') throw new VaultUnavailableError('ENOENT', place, { cause: error });
    if (code !== 'EEXIST') throw toVaultError(error, place);
  }
  await requireFolder(place);
}

/** That a folder is there or nothing is: no link, and no file. Returns whether it is there. */
async function requireFolder(place: string): Promise<boolean> {
  try {
    if ((await lstat(place)).isDirectory()) return true;
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return false;
    throw toVaultError(error, place);
  }
  throw new VaultUnavailableError('ENOTDIR', place);
}

/**
 * Every place of a subject, by the end of its name: the user's id may not be known any more. Links and files too, which no
 * folder of Annals is.
 * @throws VaultUnavailableError also for a link in the place of the tenant's folder
 */
export async function findVaultFolders(
  root: string,
  tenantId: string,
  subjectId: string,
): Promise<{ readonly place: string; readonly isFolder: boolean }[]> {
  const tenant = join(root, tenantId);
  if (!(await requireFolder(tenant))) return [];
  const entries = await listEntries(tenant);
  return entries
    .filter(({ name }) => name.endsWith(subjectSuffix(subjectId)))
    .map((entry) => ({ place: join(tenant, entry.name), isFolder: entry.isDirectory() }));
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

/** The folders in a place, by name; none when it is missing. */
export async function listFolders(place: string): Promise<string[]> {
  return (await listEntries(place)).filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function listEntries(place: string): Promise<Dirent[]> {
  try {
    return await readdir(place, { withFileTypes: true });
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return [];
    throw toVaultError(error, place);
  }
}
