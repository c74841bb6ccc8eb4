export { appendHistory, type AppendHistoryInput } from './append-history.js';
export type { AuditFault, AuditFinding, AuditFindingHandler } from './audit-finding.js';
export { compareHeads, readHeads, type ChainHead } from './heads.js';
export { verifyReceipt } from './receipts.js';
export { verifyAudit, type AuditCounts, type AuditScope } from './verify-audit.js';
export { verifyHistory, type HistoryCounts } from './verify-history.js';
