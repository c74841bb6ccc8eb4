import { GLOBAL_OWNER } from '@annals/contracts';
import { createHash } from 'node:crypto';
import { isTombstone, type VaultItem, type VaultSummary } from './vault-item.js';

const MAX_SLUG_LENGTH = 64;
/** Hexadecimal digits of a hash behind a name that does not say its id exactly: too many to find two alike. */
const HASH_DIGITS = 16;
/** Of the random id of a user: enough to tell the users of a tenant apart. */
const SUBJECT_DIGITS = 12;
/** Where facts are that rest on no message. No slug begins with an underscore. */
const WITHOUT_THREAD = '_manual';
const GLOBAL_SLUG = '_global';
/** Names that Windows keeps for devices, whatever their ending. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/;

/** Everything of a vault that is not about one item: settings and the snapshot index. Not in the Git history. */
export const VAULT_STATE_FOLDER = '.annals';
/** Where the items are. */
export const ENTRIES_FOLDER = 'entries';

/**
 * An id of the caller as the name of a folder, on any file system: lower-case letters, digits, `.`, `_` and `-`. A name that does not
 * say the id exactly ends with `~` and sixteen digits of the id's SHA-256, so that different ids have different names, also
 * where case makes no difference.
 */
export function slugOf(id: string): string {
  const plain = id.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '-');
  const slug = plain
    .replace(/^[._-]+/, '')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/[.-]+$/, '');
  if (slug !== '' && slug === id && !DEVICES.test(slug)) return slug;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, HASH_DIGITS);
  return `${slug === '' ? 'x' : slug}~${hash}`;
}

/** `<tenant>/<user>~<subject>`: the folder of a user in the vault. `subjectId`: the user as subject of work. */
export function vaultFolderOf(tenantId: string, userId: string, subjectId: string): string {
  const slug = userId === GLOBAL_OWNER ? GLOBAL_SLUG : slugOf(userId);
  return `${tenantId}/${slug}${subjectSuffix(subjectId)}`;
}

/** How the names of all folders of a subject end. */
export function subjectSuffix(subjectId: string): string {
  return `~${subjectId.replaceAll('-', '').slice(-SUBJECT_DIGITS)}`;
}

/** Where the file of an item is within the folder of its user, with `/` between folders (docs/reference/vault.md#layout). */
export function vaultPathOf(item: VaultItem): string {
  const thread = `${ENTRIES_FOLDER}/${item.threadId === null ? WITHOUT_THREAD : slugOf(item.threadId)}`;
  if (item.role === 'memory') return `${thread}/${isTombstone(item) ? 'deleted/' : ''}facts/${nameOf(item)}.md`;
  if (item.role === 'summary') {
    const name = summaryName(item);
    if (item.deletedAt === null) return `${thread}/summaries/${item.tier}/${name}.md`;
    return `${thread}/deleted/summaries/${item.tier}/${name}__${stamp(item.deletedAt)}__${item.id}.md`;
  }
  const isShown = item.hiddenAt === null && item.evictedAt === null;
  return `${thread}/${isShown ? '' : 'deleted/'}turns/${item.role}/${nameOf(item)}.md`;
}

function nameOf({ createdAt, id }: { readonly createdAt: number; readonly id: string }): string {
  return `${stamp(createdAt)}__${id}`;
}

/** ISO 8601 in its basic form: no colon, which Windows refuses. */
function stamp(epochMs: number): string {
  return new Date(epochMs).toISOString().replaceAll(/[:-]/g, '');
}

function summaryName({ tier, position }: VaultSummary): string {
  if (tier === 'L1') return `chunk_${position}`;
  return tier === 'L2' ? `group_${position}` : 'final';
}

const ID_IN_NAME = /__([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.[^/]*)?\.md$/;

/** The id in the name of an item's file, or of what was kept beside it; null: the name has none, as that of a live summary. */
export function itemIdOfPath(path: string): string | null {
  return ID_IN_NAME.exec(path)?.[1] ?? null;
}

/** Where a file that was changed by somebody is kept when the database has something newer. `n`: from 1, for the next free name. */
export function conflictPathOf(path: string, n: number): string {
  return path.replace(/\.md$/, n === 1 ? '.conflict.md' : `.conflict-${n}.md`);
}

export function isConflictPath(path: string): boolean {
  return /\.conflict(-\d+)?\.md$/.test(path);
}
