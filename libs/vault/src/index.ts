export { type EditFault, type EditRules, RedactionUnavailableError } from './edits/plan-candidate.js';
export { type EditCounts, type EditRun, type TakenEdits, takeEdits } from './edits/take-edits.js';
export type { ExpectedFile } from './files/expected-file.js';
export type { FileStamp } from './files/file-stamp.js';
export { isSameStamp } from './files/file-stamp.js';
export { VaultPathError } from './files/folder-guard.js';
export { listFiles, removeLeftovers, type VaultFile } from './files/list-files.js';
export { OwnChanges } from './files/own-changes.js';
export {
  hashText,
  MAX_VAULT_FILE_BYTES,
  type ReadProblem,
  type ReadResult,
  readVaultFile,
  readVaultFiles,
} from './files/read-file.js';
export {
  type FileRemoval,
  pruneEmptyFolders,
  type RemoveOutcome,
  removeFile,
  removeFiles,
} from './files/remove-file.js';
export { type RemovedFolder, removeFolder } from './files/remove-folder.js';
export {
  type FileWrite,
  writeFileAtomically,
  writeFiles,
  type WriteOptions,
  type WriteResult,
} from './files/write-file.js';
export type { CommitRequest, VaultChange } from './git/commit.js';
export type { HistoryFilter } from './git/filter-history.js';
export type { ForgottenHistory } from './git/forget.js';
export type { GitSettings } from './git/git.js';
export { GitError, type GitErrorCode, isVaultUnavailable } from './git/git-error.js';
export type { VaultState } from './git/git-folder.js';
export type { RepositoryCounts } from './git/object-store.js';
export { VaultRepository } from './git/repository.js';
export { VaultUnavailableError } from './unavailable.js';
export {
  findVaultFolders,
  listVaultTenants,
  openVaultFolder,
  openVaultRoot,
  removeVaultOfTenant,
  requireVaultRoot,
  type VaultOwner,
} from './projection/vault-folder.js';
export { type RemovedVault, removeVault } from './projection/remove-vault.js';
export { VaultIndex, VaultTakenError } from './projection/vault-index.js';
export { type VaultResult, type VaultRun, writeVault } from './projection/write-vault.js';
export { type CheckedFolder, checkFolder, type FolderCheck } from './check/check-folder.js';
export { confirmFindings, FILE_FAULTS, type FileFault, type FileFinding } from './check/compare-files.js';
export { listTenantsOfVault, setIndexAside, TenantFolders } from './check/folders.js';
export type { NoticedBy } from './watch/notices.js';
export { VaultWatcher, type VaultWatcherOptions, type WatchReport, type WatchTimes } from './watch/vault-watcher.js';
