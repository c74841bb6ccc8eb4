import { type RecallCandidate, scopeOfOwner } from '@annals/domain';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { Bind } from './binder.js';
import { endSql } from './memory-conditions.js';
import type { RecallSearch, SourceRef } from './recall-search.js';

/** A candidate without the fields that depend on the whole result. */
export interface HydratedUnit extends Omit<RecallCandidate, 'lexicalCeiling' | 'relatedStrength'> {
  readonly sources: readonly SourceRef[];
}

/** A time as epoch ms: the driver parses a number faster than a date. */
export const epochMsSql = (time: string) => `date_part('epoch', ${time}) * 1000`;

/**
 * Columns of a memory `m` as a candidate needs them: `valid_to` is the end that was known at the time of the query, and
 * `ends_at` the one that is known now.
 */
export const candidateColumns = (search: RecallSearch, bind: Bind) =>
  `m.id, m.user_id, m.category, m.type, m.content, m.importance, m.confidence, m.pinned,
  ${epochMsSql('m.valid_from')} AS valid_from, ${epochMsSql(endSql('m', search, bind))} AS valid_to,
  ${epochMsSql('m.valid_to')} AS ends_at, ${epochMsSql('m.recorded_at')} AS recorded_at`;

/** SQL of the sources of a memory, in no order. */
export const sourcesSql = (memoryId: string) =>
  `(SELECT json_agg(json_build_array(${epochMsSql('f.said_at')}, f.message_id, f.conversation_id, f.thread_id, f.actor_id))
      FROM memory_sources f WHERE f.memory_id = ${memoryId})`;

type SourceRow = [saidAt: number, messageId: string, conversationId: string, threadId: string, actorId: string | null];

/** Times are epoch ms. */
export type CandidateRow = Pick<
  MemoryEntity,
  'id' | 'user_id' | 'category' | 'type' | 'content' | 'importance' | 'confidence' | 'pinned'
> & {
  valid_from: number;
  valid_to: number | null;
  ends_at: number | null;
  recorded_at: number;
  sources: SourceRow[] | null;
};

export interface CandidateScores {
  readonly cosine: number | null;
  readonly lexical: number;
}

/** A candidate at time `now`, in epoch ms. */
export function toMemory(row: CandidateRow, { cosine, lexical }: CandidateScores, now: number): HydratedUnit {
  const sources = (row.sources ?? []).toSorted((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1));
  const [saidAt, , , threadId, speaker] = sources.at(-1) ?? [row.valid_from, null, null, null, null];
  return {
    kind: 'memory',
    scope: scopeOfOwner(row.user_id),
    id: row.id,
    category: row.category,
    type: row.type,
    content: row.content,
    importance: row.importance,
    confidence: row.confidence,
    pinned: row.pinned,
    validFrom: Math.round(row.valid_from),
    validTo: row.valid_to === null ? null : Math.round(row.valid_to),
    recordedAt: Math.round(row.recorded_at),
    saidAt: Math.round(saidAt),
    cosine,
    lexical,
    speaker,
    threadId,
    messageIds: sources.map(([, messageId]) => messageId),
    sources: sources.map(([, messageId, conversationId]) => ({ messageId, conversationId })),
    superseded: row.ends_at !== null && row.ends_at <= now ? 'wholly' : 'no',
    // It holds at the time of the query, or the query would not have found it.
    supersededBy: null,
  };
}
