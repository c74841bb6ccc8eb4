import { planRestoration, type SummaryLevel, type SummarySentence, type SummaryTier } from '@annals/domain';
import { type Tx } from '../database/transaction.js';
import type { ConversationEntity } from '../entities/conversation.entity.js';
import type { SummaryEntity } from '../entities/summary.entity.js';
import { IS_RECALLABLE_SQL } from '../query/turn-conditions.js';
import { loadSummarySentences, STORED_SUMMARY_COLUMNS, toStoredSummary } from './load-summary-subject.js';

/** A conversation as far as the access to its summaries needs it. */
export interface SummarizedThread {
  readonly conversationId: string;
  readonly agentId: string | null;
  readonly messageCount: number;
}

/** Null when the user has no such thread. */
export async function findSummarizedThread(tx: Tx, userId: string, threadId: string): Promise<SummarizedThread | null> {
  const [row] = await tx.query<Pick<ConversationEntity, 'id' | 'agent_id' | 'message_count'>>(
    'SELECT id, agent_id, message_count FROM conversations WHERE user_id = $1 AND thread_id = $2',
    [userId, threadId],
  );
  return row ? { conversationId: row.id, agentId: row.agent_id, messageCount: row.message_count } : null;
}

/** A stored summary with its sentences; times are RFC 3339. */
export interface ReadSummary {
  readonly id: string;
  readonly tier: SummaryTier;
  readonly position: number;
  readonly level: SummaryLevel;
  readonly kind: SummaryEntity['kind'];
  readonly provider: string;
  readonly model: string | null;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly coveredTokens: number;
  readonly tokens: number;
  readonly createdAt: string;
  readonly tombstonedAt: string | null;
  readonly replacedBy: string | null;
  readonly sentences: readonly SummarySentence[];
}

type SummaryRow = Pick<
  SummaryEntity,
  | 'id'
  | 'tier'
  | 'position'
  | 'level'
  | 'kind'
  | 'provider'
  | 'model'
  | 'from_seq'
  | 'to_seq'
  | 'covered_tokens'
  | 'tokens'
  | 'created_at'
  | 'tombstoned_at'
  | 'replaced_by'
>;

/** Summaries of a conversation, the live ones before tombstones, the newest of these first; by tier and position. */
export async function readSummaries(
  tx: Tx,
  conversationId: string,
  {
    tier,
    withTombstones,
    limit,
  }: { readonly tier: SummaryTier | null; readonly withTombstones: boolean; readonly limit: number },
): Promise<ReadSummary[]> {
  const rows = await tx.query<SummaryRow>(
    `SELECT id, tier, position, level, kind, provider, model, from_seq, to_seq, covered_tokens, tokens, created_at,
            tombstoned_at, replaced_by
       FROM summaries
      WHERE conversation_id = $1 AND ($2::text IS NULL OR tier = $2) AND ($3 OR tombstoned_at IS NULL)
      ORDER BY tombstoned_at DESC NULLS FIRST, tier DESC, position, id DESC LIMIT $4`,
    [conversationId, tier, withTombstones, limit],
  );
  const sentences = await loadSummarySentences(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    tier: row.tier,
    position: row.position,
    level: row.level,
    kind: row.kind,
    provider: row.provider,
    model: row.model,
    fromSeq: row.from_seq,
    toSeq: row.to_seq,
    coveredTokens: row.covered_tokens,
    tokens: row.tokens,
    createdAt: row.created_at.toISOString(),
    tombstonedAt: row.tombstoned_at?.toISOString() ?? null,
    replacedBy: row.replaced_by,
    sentences: sentences.get(row.id) ?? [],
  }));
}

/** `replaced`: the summary that was live in its place. */
export type SummaryRestoration =
  | { readonly outcome: 'restored'; readonly replaced: string | null }
  | { readonly outcome: 'unknown' | 'live' | 'messages_deleted' };

/**
 * Restores a tombstone, which makes a tombstone of the live summary of its place
 * (docs/reference/summaries.md#tombstones). The caller has locked the conversation.
 */
export async function restoreSummary(
  tx: Tx,
  conversationId: string,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<SummaryRestoration> {
  const rows = await tx.query<Parameters<typeof toStoredSummary>[0] & { has_deletions: boolean }>(
    `SELECT ${STORED_SUMMARY_COLUMNS}, id = $2 AND EXISTS (
              SELECT FROM messages g
               WHERE g.conversation_id = $1 AND g.seq BETWEEN from_seq AND to_seq
                 AND g.role IN ('user', 'assistant') AND NOT ${IS_RECALLABLE_SQL}) AS has_deletions
       FROM summaries WHERE conversation_id = $1 AND (id = $2 OR tombstoned_at IS NULL)`,
    [conversationId, id],
  );
  const deleted = new Set(rows.filter((row) => row.has_deletions).map((row) => row.id));
  const plan = planRestoration(id, rows.map(toStoredSummary), (summary) => deleted.has(summary.id));
  if (plan.type === 'refuse') return { outcome: plan.reason };
  if (plan.tombstone !== null) {
    await tx.execute('UPDATE summaries SET tombstoned_at = $2, replaced_by = $3 WHERE id = $1', [
      plan.tombstone,
      new Date(now),
      id,
    ]);
  }
  await tx.execute('UPDATE summaries SET tombstoned_at = NULL, replaced_by = NULL WHERE id = $1', [id]);
  return { outcome: 'restored', replaced: plan.tombstone };
}
