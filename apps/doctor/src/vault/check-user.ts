import { type Database, listVaultUsers, type PendingVaultWork, type VaultUserStanding } from '@annals/storage';
import {
  checkFolder,
  type CheckedFolder,
  confirmFindings,
  type FileFinding,
  GitError,
  type GitSettings,
} from '@annals/vault';

export interface UserCheck {
  readonly database: Database;
  readonly tenantId: string;
  /** Null: the vault has no Git history. */
  readonly git: GitSettings | null;
}

/** What there is to say about the files of one user. */
export type CheckedUser =
  /** Work waits, runs or is deferred, or the user has gone meanwhile: what differs is only not written yet. */
  | { readonly outcome: 'pending'; readonly work: PendingVaultWork | null }
  | { readonly outcome: 'unreadable'; readonly message: string }
  | { readonly outcome: 'checked'; readonly items: number; readonly findings: readonly FileFinding[] };

/** Whether nothing of the user is written now, so that a difference is one. */
function isIdle(user: VaultUserStanding | undefined): boolean {
  return user !== undefined && (user.work === null || user.work.state === 'failed');
}

/**
 * Compares the files of a user with the database. A difference counts if it is found twice, and no work was there before, between and
 * behind: the vault may be written meanwhile.
 * @throws {GitError | VaultUnavailableError} for what is wrong with the machine, not with this folder
 */
export async function checkUser(
  check: UserCheck,
  user: VaultUserStanding,
  folder: string | null,
): Promise<CheckedUser> {
  if (!isIdle(user)) return { outcome: 'pending', work: user.work };
  try {
    const first = await compare(check, user, folder);
    if (!first.findings.some(isFault)) return { outcome: 'checked', ...first };
    const between = await readStanding(check, user.userId);
    if (!isIdle(between)) return { outcome: 'pending', work: between?.work ?? null };
    const second = await compare(check, user, folder);
    const behind = await readStanding(check, user.userId);
    if (!isIdle(behind)) return { outcome: 'pending', work: behind?.work ?? null };
    return { outcome: 'checked', items: second.items, findings: confirmFindings(first.findings, second.findings) };
  } catch (error) {
    if (error instanceof GitError && ['failed', 'timeout', 'unsupported'].includes(error.code))
      return { outcome: 'unreadable', message: error.message };
    throw error;
  }
}

/** Whether Annals has to mend it. */
export function isFault({ fault }: FileFinding): boolean {
  return fault !== 'conflict';
}

function compare(
  { database, tenantId, git }: UserCheck,
  { userId }: VaultUserStanding,
  folder: string | null,
): Promise<CheckedFolder> {
  return checkFolder({ folder, userId, git, read: (work) => database.readTenant(tenantId, work) });
}

async function readStanding({ database, tenantId }: UserCheck, userId: string): Promise<VaultUserStanding | undefined> {
  const [user] = await database.readTenant(tenantId, (tx) => listVaultUsers(tx, { after: null, limit: 1, userId }));
  return user;
}
