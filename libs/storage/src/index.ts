export { askForAppMemory, type AppMemoryRequest } from './app-memories/ask-for-app-memory.js';
export { deleteAppMemory, purgeAppMemories, uninstallApp } from './app-memories/delete-app-memories.js';
export {
  type AppMemorySubject,
  loadAppMemorySubject,
  type PendingAppMemory,
} from './app-memories/load-app-memory-subject.js';
export { loadAppMemoryPool, lockAppMemoryPool, type StoredAppMemory } from './app-memories/pool.js';
export {
  type AppMemoryView,
  hasAppMemory,
  listAppMemories,
  markMemoriesInjected,
  readAppContext,
} from './app-memories/read-app-memories.js';
export {
  type AppMemoryWrite,
  type AppMemoryWritten,
  type MadeAppMemory,
  writeAppMemory,
} from './app-memories/write-app-memory.js';
export { type App, countApps, findApp, hasMoreThanOnePool, listApps, putApp } from './apps/app-registry.js';
export { appendHistory } from './audit/user-chain.js';
export { type AuditFault, type AuditFinding, type AuditFindingHandler } from './audit/audit-finding.js';
export { type ChainKeyCount, countByChainKey } from './audit/count-by-chain-key.js';
export { type ChainHead, compareHeads, readHeads } from './audit/heads.js';
export { findReceipt, verifyReceipt } from './audit/receipts.js';
export { type AuditCounts, verifyAudit } from './audit/verify-audit.js';
export { verifyHistory } from './audit/verify-history.js';
export { verifyMemories } from './audit/verify-memories.js';
export { type Claim, claimBatch, releaseBatch, renewLease } from './batches/claim-batch.js';
export { completeExtraction, type ExtractionResult, loadExtraction } from './batches/complete-extraction.js';
export {
  countDeferredBatches,
  deferBatch,
  type Deferral,
  readDeferredBatchStats,
  wakeBatchesAfterBudgetChange,
  wakeDeferredBatches,
} from './batches/defer-batch.js';
export { failBatch, replayBatch } from './batches/fail-and-replay.js';
export { loadBatchAgent } from './batches/load-batch-agent.js';
export { loadBatchConversation, loadSaidTimes, type StoredTurn } from './batches/load-batch-conversation.js';
export { loadUserNames } from './batches/load-user-names.js';
export { getBatches, isBatchOfAgent, listBatches, readBatchRevisions } from './batches/read-batches.js';
export {
  readBudgetLimits,
  readBudgetOverrides,
  setDeploymentBudget,
  setTenantBudget,
  type SharedBudget,
  readDeploymentBudgetUsage,
  readTenantBudgetUsage,
  fireBudgetAlert,
} from './budgets/budgets.js';
export * from './checkpoints/index.js';
export * from './langgraph/index.js';
export * from './langgraph-store/index.js';
export { insertEvents } from './events/insert-events.js';
export * from './vault/index.js';
export * from './webhooks/index.js';
export { decideProposal, editUserContext, expireProposals } from './context/decide-context.js';
export { type ContextObservation, observeContext, observeInsight } from './context/observe-context.js';
export { findProposal, getUserContext, listProposals } from './context/read-context.js';
export {
  acceptMessages,
  type AcceptMessagesInput,
  type AcceptMessagesResult,
  type NewMessage,
} from './conversations/accept-messages.js';
export { readThreadTurns, type ThreadTurn, type ThreadTurns } from './conversations/read-thread-turns.js';
export { listConversations } from './conversations/list-conversations.js';
export { listUsers } from './users/list-users.js';
export { endConversation, getConversation } from './conversations/read-and-end-conversation.js';
export { MessageConflictError } from './conversations/plan-post.js';
export { type PgConnection } from './database/connection.js';
export { InvalidCursorError } from './database/cursor.js';
export { Database } from './database/database.js';
export { type StatementLimits } from './database/statement-limits.js';
export { isMigrationPending } from './database/schema-version.js';
export {
  DatabaseReadOnlyError,
  DatabaseUnavailableError,
  SecretKeyMismatchError,
  StatementEndedError,
  FOREIGN_KEY_VIOLATION,
  isTransientDatabaseError,
  LOCK_NOT_AVAILABLE,
  sqlState,
  UNIQUE_VIOLATION,
} from './database/errors.js';
export { type DatabaseInspection, inspectDatabase } from './database/inspect-database.js';
export { toParameters } from './database/set-statement.js';
export { allOf, NO_TENANT, type Tx } from './database/transaction.js';
export { type ReplayDependencies } from './deletions/carry-out.js';
export { DeletionsFile, DeletionsFileError, type ListKeys } from './deletions/deletions-file.js';
export { exportDeletions } from './deletions/export-deletions.js';
export { chargeLostSpending } from './deletions/lost-spending.js';
export { exportSpending, readSpendingFile, spendingPathOf } from './deletions/spending-file.js';
export { replayDeletions, type ReplayResult } from './deletions/replay-deletions.js';
export {
  type ListedChange,
  listThreadChanges,
  threadExists,
  readThreadChanges,
  type ThreadChanges,
} from './delta/thread-changes.js';
export { type EchoesDue, findEchoesDue, notePageOfEchoes } from './echoes/note-earlier-echoes.js';
export { askForBackup, type AskedBackup, serveBackupRequests } from './embedded/backup/backup-request.js';
export { BackupError } from './embedded/backup/manifest.js';
export { type RestoredBackup, restoreBackup } from './embedded/backup/restore-backup.js';
export {
  backUpFolder,
  type BackupRequest,
  type BackupResult,
  DELETIONS_FILE,
  writeBackup,
} from './embedded/backup/write-backup.js';
export { DataFolderInUseError, DataFolderUnusableError } from './embedded/data-folder-lock.js';
export { listenTcp, type TcpListener } from './embedded/listen-tcp.js';
export { type EmbeddedDatabase, openEmbeddedDatabase } from './embedded/open-embedded-database.js';
export { drawEnergy, type EnergyDraw, type EnergyRequest, giveEnergyBack } from './energy/draw-energy.js';
export { type EnergyPoll, type EnergyReading, pollEnergy, readEnergy, readLowestEnergy } from './energy/read-energy.js';
export { countEvents, type EventView, listEvents } from './events/read-events.js';
export { type NewEvent, purgeEvents, recordEvents } from './events/record-events.js';
export { beginIdempotent, purgeIdempotencyKeys, storeIdempotent } from './idempotency/idempotency.js';
export {
  createApiKey,
  type NewApiKey,
  exchangeApiKey,
  findApiKey,
  listApiKeys,
  listBoundUsers,
  revokeApiKey,
  revokeKeysOfUsers,
} from './keys/api-keys.js';
export { isOperatorKeyValid, type OperatorKeyRef } from './keys/operator-key.js';
export {
  apiKeyPrefix,
  createFullAccessKey,
  ensureBootstrapKey,
  ensureOperatorKey,
  hashApiKey,
} from './keys/ensure-key.js';
export { type CallOutcome } from './entities/ledger.entity.js';
export { loadPastCalls, type PastCall } from './ledger/load-past-calls.js';
export { cancelReservation, openReservation, readBudgetEpoch } from './ledger/open-reservation.js';
export { readTenantCosts } from './ledger/read-tenant-costs.js';
export { countCalls, readUsage, readUsageTotals, type UsageRow, type UsageTotals } from './ledger/read-usage.js';
export {
  type ExpiredReservation,
  expireReservations,
  findClosedReservations,
  findOverdueReservations,
  type OpenReservation,
  type OverdueReservation,
  raiseBudgetEpoch,
} from './ledger/reconcile.js';
export { type CallSettlement, settleReservation } from './ledger/settle-reservation.js';
export { indexTurns } from './lexical/index-turns.js';
export { findUnindexed, type UnindexedUser } from './lexical/find-unindexed.js';
export { type ReindexProgress, reindexPage } from './lexical/reindex-user.js';
export type { SweepPosition } from './lexical/sweep-postings.js';
export {
  expireMemories,
  type ExpiryRule,
  findExpired,
  restoreExpiredMemories,
  findPurgeable,
  PURGE_START,
  purgeMemories,
  readPurgeOverdueMs,
} from './lifecycle/expire-and-purge.js';
export {
  finishMaintenanceJob,
  type LeasedMaintenanceJob,
  leaseMaintenanceJob,
  type MaintenanceStatus,
  readMaintenanceStatus,
  renewMaintenanceLease,
} from './lifecycle/maintenance-jobs.js';
export { type DueMemory, SCAN_START, type ScanPosition } from './lifecycle/memory-scan.js';
export { type MemoryAccess, recordAccess, type UnrecordedAccess } from './lifecycle/record-access.js';
export { type StatementComparison } from './memories/compare-statements.js';
export {
  type ContentEmbedding,
  countVectors,
  findWithoutVector,
  loadCachedEmbeddings,
  loadWithoutVector,
  type MemoriesWithoutVector,
  requestVectors,
  type VectorCount,
} from './memories/embeddings.js';
export { addVectors } from './memories/add-vectors.js';
export { findComparedNeighbours, findNeighbours } from './memories/neighbours.js';
export {
  getMemory,
  getMemoryHistory,
  listMemories,
  loadAnswerSources,
  loadExternalIds,
  loadMemoryContexts,
} from './memories/read-memories.js';
export { loadReconciliations, type PastReconciliation, storeReconciliation } from './memories/reconciliations.js';
export {
  type MemoryWriteCommand,
  type MemoryWriteResult,
  type WriteDependencies,
  writeMemories,
} from './memories/write-memories.js';
export { migrate } from './migrate.js';
export {
  beginMindRun,
  endLostMindRuns,
  type OpenMindRun,
  queueMindRun,
  readOpenMindRun,
} from './minds/begin-mind-run.js';
export {
  addMindRunCosts,
  endMindRun,
  listMindRuns,
  markMindRunUndone,
  type MindRunCosts,
  type MindRunEnd,
  type MindRunStart,
  readLastMindRun,
  readMindRun,
  startMindRun,
} from './minds/mind-runs.js';
export { lockMindSubject, readSubjectOfUser, readSubjectUser, type SubjectUser } from './minds/mind-subject.js';
export { readMindWatermark, storeMindWatermark } from './minds/mind-watermarks.js';
export {
  ENDED_RUNS_START,
  type EndedMindRun,
  type EndedRunPosition,
  findEndedMindRuns,
  pruneMindRuns,
  purgeEnergyUsage,
  purgeFingerprints,
} from './minds/prune-mind-runs.js';
export {
  type AppliedRun,
  applyRun,
  CONSOLIDATION_ACTOR,
  type PlannedRun,
  recordPlannedRun,
} from './consolidation/apply-run.js';
export { drawAllowance, readPairsOfDay, returnAllowance } from './consolidation/draw-allowance.js';
export { findPairNeighbours, readConsolidation, readQuotes } from './consolidation/read-consolidation.js';
export { type RecordedChange, readRunChanges, type RunChangeRow } from './consolidation/run-changes.js';
export { readUndonePairs, type UndoneRun, undoRun } from './consolidation/undo-run.js';
export { eraseUser, type EraseUserResult } from './privacy/erase-user.js';
export { findUsers } from './privacy/find-users.js';
export { exportUser } from './privacy/export-user.js';
export { forgetMessage, findMessage, type ForgottenMessage } from './forgetting/forget-message.js';
export { forgetSubject, type ForgetSubjectResult, previewForgetting } from './forgetting/forget-subject.js';
export { readForgottenAt } from './forgetting/read-forgotten-at.js';
export { findShortLived, forgetShortLived, SHORT_LIVED_START, type ShortLived } from './forgetting/short-lived.js';
export { forgetConversation } from './privacy/forget-conversation.js';
export { findCandidates } from './query/find-candidates.js';
export { type CategoryLimits, listCategoryMemories } from './query/list-category-memories.js';
export { type CandidateSearchResult, type RecallSearch, type SourceRef } from './query/recall-search.js';
export { findLinked, type LinkedMemory, listRelated } from './relations/linked-memories.js';
export {
  createTenant,
  DEFAULT_TENANT,
  deleteTenant,
  ensureTenant,
  findTenant,
  listTenants,
} from './tenants/tenants.js';
export {
  confirmPseudonymKey,
  ensurePseudonymSalt,
  loadTenantSettings,
  loadTenantName,
  loadWritingChecks,
  patchTenantSettings,
  type TenantSettings,
} from './tenants/tenant-settings.js';
export type { InsightView } from './insights/insight-view.js';
export { type InsightTurn, loadInsightSources, type StoredInsightSources } from './insights/load-sources.js';
export { areInsightsOn, explainMemory, listInsights, readInsightAccess } from './insights/read-insights.js';
export { type InsightSubject, readCoveredSeq, readInsightSubject } from './insights/read-subject.js';
export { type InsightCounts, type InsightWrite, writeInsights } from './insights/write-insights.js';
export { claimWork, holdsWork, releaseWork, renewWork, type WorkHold } from './work/claim-work.js';
export { deferWork, endWork, failWork, replayWork } from './work/end-work.js';
export { enqueueWork } from './work/enqueue-work.js';
export { getWork, listWork } from './work/list-work.js';
export { explainWork, type WorkReason } from './work/explain-work.js';
export { measureWork, type WorkLoad } from './work/measure-work.js';
export { bringForward, releaseAnew, retryGeneration } from './work/rerun-work.js';
export { readWorkStanding, type WorkStanding } from './work/work-standing.js';
export { countRecentBatchOutcomes, PostgresWorkStore, readDeferredWork } from './work/postgres-work-store.js';
export { type Eviction, evictFromConversation, restoreEvictedTurns } from './eviction/evict.js';
export * from './moving/index.js';
export * from './summaries/index.js';
