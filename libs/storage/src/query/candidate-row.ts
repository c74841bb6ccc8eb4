import type { MemoryType } from '@annals/contracts';
import type { HydratedUnit } from './hydrate.js';

/** Columns of a memory `m` as a candidate needs them. Times are epoch ms: the driver takes longer for a date than for a number. */
export const CANDIDATE_COLUMNS = `m.id, m.category, m.type, m.content, m.importance, m.confidence, m.pinned,
  date_part('epoch', m.valid_from) * 1000 AS valid_from, date_part('epoch', m.valid_to) * 1000 AS valid_to,
  date_part('epoch', m.recorded_at) * 1000 AS recorded_at, m.superseded_by`;

/** SQL of where a memory was said, in no order. */
export const sourcesSql = (memoryId: string) =>
  `(SELECT json_agg(json_build_array(date_part('epoch', f.said_at) * 1000, f.message_id, f.conversation_id, f.thread_id,
                                     f.actor_id))
      FROM memory_sources f WHERE f.memory_id = ${memoryId})`;

type SourceRow = [saidAt: number, messageId: string, conversationId: string, threadId: string, actorId: string | null];

export interface CandidateRow {
  id: string;
  category: string;
  type: MemoryType;
  content: string;
  importance: number;
  confidence: number;
  pinned: boolean;
  valid_from: number;
  valid_to: number | null;
  recorded_at: number;
  superseded_by: string | null;
  sources: SourceRow[] | null;
}

export interface Evidence {
  readonly cosine: number | null;
  readonly lexical: number;
}

/** A candidate, seen from `now` in epoch ms. */
export function toMemory(row: CandidateRow, { cosine, lexical }: Evidence, now: number): HydratedUnit {
  const sources = (row.sources ?? []).toSorted((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1));
  const [saidAt, , , threadId, speaker] = sources.at(-1) ?? [row.valid_from, null, null, null, null];
  return {
    kind: 'memory',
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
    isSuperseded: row.superseded_by !== null || (row.valid_to !== null && row.valid_to <= now),
  };
}
