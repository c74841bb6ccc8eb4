import { type Clock, type IdGenerator, vaultFolderOf } from '@annals/domain';
import {
  type Database,
  listPendingVaultRemovals,
  listTenantIds,
  listVaultUsers,
  type PendingVaultRemoval,
  requestVaultsOf,
  type VaultUserStanding,
} from '@annals/storage';
import {
  FILE_FAULTS,
  type FileFault,
  type FileFinding,
  type GitSettings,
  listTenantsOfVault,
  setIndexAside,
  TenantFolders,
} from '@annals/vault';
import { join } from 'node:path';
import { type Finding, FindingLog, warn } from '../report.js';
import { type CheckedUser, checkUser, isFault } from './check-user.js';
import {
  describeFile,
  describeMissingFolder,
  describeMoreFiles,
  describeOrphan,
  describePending,
  describeRemoval,
  describeRepair,
  describeRepository,
  describeUser,
  describeWaiting,
} from './describe-vault-finding.js';

/** Users and removals that are listed together; users that are compared at a time: while one waits for Git, another reads. */
const PAGE = 500;
const USERS_AT_A_TIME = 4;
/** Findings of one fault of one user, and of the whole run, that are reported one by one. */
const MAX_FILES = 20;
const MAX_FINDINGS = 1_000;
const MAX_REMOVAL_MS = 3_600_000;

export interface VaultCheckScope {
  readonly database: Database;
  /** Folder of the vault, absolute. */
  readonly root: string;
  readonly git: GitSettings | null;
  /** Null: of all tenants; of all users. */
  readonly tenantId: string | null;
  readonly userId: string | null;
  readonly repairs: boolean;
  readonly clock: Clock;
  readonly ids: IdGenerator;
}

/** Of a user; `folder` is null where there is none. */
interface CheckedFolderOf {
  readonly user: VaultUserStanding;
  readonly folder: string | null;
  readonly tenantId: string;
}

/** How much was compared. */
export interface VaultCounts {
  tenants: number;
  users: number;
  files: number;
}

/** Compares both sides of a vault: each user's items with their files, and what lies in the folder with who there is. */
export class VaultCheck extends FindingLog {
  readonly counts: VaultCounts = { tenants: 0, users: 0, files: 0 };
  /** Files and folders with a fault, with those that are not shown. */
  faults = 0;
  private hidden = 0;
  private seenUsers = 0;

  constructor(
    private readonly scope: VaultCheckScope,
    onFinding: (finding: Finding) => void,
  ) {
    super(onFinding);
  }

  /** @throws {GitError | VaultUnavailableError} */
  async checkAll(): Promise<void> {
    const { database, root, tenantId: only, userId } = this.scope;
    // Before the tenants and their users are read: whose folder is there is known to the database.
    const unknown = new Set(await listTenantsOfVault(root));
    for await (const tenantId of listTenantIds(database, only)) {
      unknown.delete(tenantId);
      await this.checkTenant(tenantId);
      this.counts.tenants += 1;
    }
    if (only === null && userId === null && unknown.size > 0) {
      const left = (await listTenantsOfVault(root)).filter((id) => unknown.has(id)).toSorted();
      this.report(left.map((id) => describeOrphan(join(root, id))));
    }
    if (this.hidden > 0) {
      const advice = 'Resolve what is reported, then check again.';
      this.emit(warn('vault', `${this.hidden} more findings are not shown.`, advice));
    }
  }

  /** Whether there is a user as asked for. */
  get hasUsers(): boolean {
    return this.seenUsers > 0;
  }

  private async checkTenant(tenantId: string): Promise<void> {
    const { database, root, userId } = this.scope;
    const folders = await TenantFolders.read(root, tenantId);
    let waiting = 0;
    for (let after: string | null = null; ;) {
      const page: VaultUserStanding[] = await database.readTenant(tenantId, (tx) =>
        listVaultUsers(tx, { after, limit: PAGE, userId }),
      );
      this.seenUsers += page.length;
      waiting += await this.checkUsers(tenantId, page, folders);
      if (page.length < PAGE) break;
      after = page.at(-1)!.userId;
    }
    if (userId === null) {
      waiting += await this.checkRemovals(tenantId, folders);
      this.report((await folders.readLeft()).map((path) => describeOrphan(path)));
    }
    if (waiting > 0) this.emit(describeWaiting(waiting, tenantId));
  }

  /** Returns for how many users work waits. */
  private async checkUsers(
    tenantId: string,
    users: readonly VaultUserStanding[],
    folders: TenantFolders,
  ): Promise<number> {
    const { database, git, repairs } = this.scope;
    const checks = users.map((user) => ({ user, folder: folders.takeOf(user), tenantId }));
    const toRepair: CheckedFolderOf[] = [];
    let waiting = 0;
    for (let start = 0; start < checks.length; start += USERS_AT_A_TIME) {
      const some = checks.slice(start, start + USERS_AT_A_TIME);
      const results = await Promise.all(
        some.map(({ user, folder }) => checkUser({ database, tenantId, git }, user, folder)),
      );
      for (const [at, result] of results.entries()) {
        if (this.reportUser(result, some[at]!)) toRepair.push(some[at]!);
        if (result.outcome === 'pending' && result.work?.state !== 'deferred') waiting += 1;
      }
    }
    if (repairs && toRepair.length > 0) await this.repair(tenantId, toRepair);
    return waiting;
  }

  /** Whether there is something to repair. */
  private reportUser(result: CheckedUser, { user, folder, tenantId }: CheckedFolderOf): boolean {
    const { userId, work } = user;
    const who = describeUser(userId, tenantId);
    if (result.outcome === 'pending') {
      if (result.work?.state === 'deferred') this.report([describePending(who, 'deferred', result.work.code)]);
      return false;
    }
    this.counts.users += 1;
    if (work !== null) this.report([describePending(who, 'failed', work.code)]);
    if (result.outcome === 'unreadable') {
      this.report([describeRepository(who, result.message)]);
      return true;
    }
    const { items, findings } = result;
    this.counts.files += items;
    if (folder === null && items > 0) {
      const missing = join(this.scope.root, vaultFolderOf(tenantId, userId, user.subjectId));
      this.report([describeMissingFolder(who, missing, items)]);
      return true;
    }
    if (folder !== null) for (const fault of FILE_FAULTS) this.reportFiles(fault, findings, { user: who, folder });
    return findings.some(isFault) || work !== null;
  }

  private reportFiles(
    fault: FileFault,
    findings: readonly FileFinding[],
    place: { readonly user: string; readonly folder: string },
  ): void {
    const files = findings.filter((finding) => finding.fault === fault);
    this.report(files.slice(0, MAX_FILES).map((file) => describeFile(file, place)));
    const more = files.length - MAX_FILES;
    if (more > 0) this.report([describeMoreFiles(fault, more, place.user)], more);
  }

  /** Returns how many removals are pending, and not for too long. */
  private async checkRemovals(tenantId: string, folders: TenantFolders): Promise<number> {
    const { database, clock } = this.scope;
    let waiting = 0;
    for (let after: string | null = null; ;) {
      const page: PendingVaultRemoval[] = await database.readTenant(tenantId, (tx) =>
        listPendingVaultRemovals(tx, { after, limit: PAGE }),
      );
      for (const { subjectId, requestedAt } of page) {
        const left = folders.takeOfSubject(subjectId);
        if (clock.now() - requestedAt > MAX_REMOVAL_MS) this.report([describeRemoval(subjectId, tenantId, left)]);
        else waiting += 1;
      }
      if (page.length < PAGE) return waiting;
      after = page.at(-1)!.subjectId;
    }
  }

  private async repair(tenantId: string, users: readonly CheckedFolderOf[]): Promise<void> {
    const { database, clock, ids } = this.scope;
    for (const { folder } of users)
      if (folder !== null) await setIndexAside(folder, `annals vault check ${ids.next()}`);
    const subjects = users.map(({ user }) => user.subjectId);
    await database.inTenant(tenantId, (tx) => requestVaultsOf(tx, subjects, { now: clock.now(), ids }));
    this.emit(describeRepair(users.length, tenantId));
  }

  /** `each`: what a finding stands for. */
  private report(findings: readonly Finding[], each = 1): void {
    for (const finding of findings) {
      if (finding.verdict === 'fail') this.faults += each;
      if (this.findings.length < MAX_FINDINGS) this.emit(finding);
      else this.hidden += each;
    }
  }
}
