import type { ClaimedBatch } from '@annals/runtime';
import type { ReportDependencies } from '../call-model/report-parsing.js';
import { UNCONFIRMED } from '../ground/ground-answer.js';
import type { PreparedConversation } from '../prompt/prepare-conversation.js';
import type { ExtractionDraft, RepairedAnswer } from './commit-extraction.js';

type AboutBatch = Pick<ClaimedBatch, 'tenantId' | 'batchId'>;

export function reportPreparation(
  { logger, metrics }: ReportDependencies,
  { tenantId, batchId }: AboutBatch,
  { analysis, fitted }: PreparedConversation,
): void {
  if (analysis.hits > 0) metrics.add('memory_llm_context_cache_total', analysis.hits, { outcome: 'hit' });
  if (analysis.misses > 0) metrics.add('memory_llm_context_cache_total', analysis.misses, { outcome: 'miss' });
  const { prunedCount, estimatedTokens } = fitted.selection;
  if (prunedCount === 0) return;
  metrics.add('memory_llm_messages_pruned_total', prunedCount);
  logger.info('messages_pruned', { tenantId, batchId, prunedCount, estimatedTokens });
}

export function reportMemories(
  { logger, metrics }: ReportDependencies,
  { tenantId, batchId }: AboutBatch,
  { provider, items }: Pick<ExtractionDraft, 'provider' | 'items'>,
  rejected: number,
): void {
  const proposed = items.length + rejected;
  if (proposed === 0) return;
  metrics.add('memory_llm_memories_extracted_total', proposed, { provider });
  metrics.add('memory_llm_memories_junk_total', rejected, { cause: 'rejected' });
  for (const { quarantineReason: reason } of items) {
    if (reason === undefined) continue;
    metrics.inc('memory_llm_memories_quarantined_total', { reason });
    // What waits for a person's confirmation is no junk.
    if (reason !== UNCONFIRMED) metrics.inc('memory_llm_memories_junk_total', { cause: 'quarantined' });
    logger.debug('memory_quarantined', { tenantId, batchId, reason });
  }
}

export function reportAnswerRepair(
  { logger, metrics }: ReportDependencies,
  { tenantId, batchId }: AboutBatch,
  { writing, multiFact, procedures, categoryAssignment }: RepairedAnswer,
): void {
  const { checked, passed, rewritten, trimmed, rejected, broken, notRewritten } = writing;
  if (categoryAssignment) {
    const { moved, dropped } = categoryAssignment;
    const lost = Object.values(dropped).reduce((sum, count) => sum + count, 0);
    logger.warn('category_missing', { tenantId, batchId, moved, dropped: lost });
  }
  if (multiFact) {
    const outcome =
      multiFact.skippedReason === null ? 'requested' : multiFact.skippedReason === 'capped' ? 'capped' : 'failed';
    metrics.inc('memory_llm_multi_fact_total', { outcome });
    metrics.add('memory_llm_multi_fact_memories_total', multiFact.added);
    metrics.add('memory_llm_multi_fact_dropped_total', multiFact.dropped.length);
  }
  if (procedures?.failure) logger.warn('procedures_not_worded', { tenantId, batchId, reason: procedures.failure });
  for (const outcome of procedures?.outcomes ?? []) metrics.inc('memory_llm_procedures_total', { outcome });
  const outcomes = { passed, rewritten, trimmed, rejected: rejected.length };
  for (const outcome of ['passed', 'rewritten', 'trimmed', 'rejected'] as const) {
    if (outcomes[outcome] > 0) metrics.add('memory_llm_writing_checked_total', outcomes[outcome], { outcome });
  }
  for (const [rule, count] of Object.entries(broken)) {
    metrics.add('memory_llm_writing_violations_total', count, { rule });
  }
  if (passed === checked) return;
  logger.info('writing_repaired', {
    tenantId,
    batchId,
    checked,
    ...outcomes,
    ...(notRewritten ? { notRewritten } : {}),
  });
}
