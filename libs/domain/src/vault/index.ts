export { unescapeEmbeds } from './embeds.js';
export { hasConflictMarkers, type ParsedVaultFile, parseVaultFile, readFileId } from './parse-vault-file.js';
export {
  EDITABLE_FIELDS,
  type EditChange,
  type EditContext,
  type EditRefusal,
  isSameText,
  MEMORY_FIELDS,
  planNewFile,
  planFileEdit,
  type PlannedEdit,
} from './plan-edit.js';
export { gitBlobId, renderVaultFile, type VaultFile } from './render-vault-file.js';
export {
  isTombstone,
  TURN_ROLES,
  type VaultItem,
  type VaultMemory,
  type VaultSummary,
  type VaultTurn,
} from './vault-item.js';
export {
  conflictPathOf,
  ENTRIES_FOLDER,
  isConflictPath,
  itemIdOfPath,
  slugOf,
  subjectSuffix,
  VAULT_STATE_FOLDER,
  vaultFolderOf,
  vaultPathOf,
} from './vault-path.js';
