import type { Ground, Insight, InsightPage, MemoryReasons, PageQuery } from '@annals/contracts';
import { removeHidden } from '@annals/domain';
import { buildPage, parseCursor } from '../database/cursor.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { InsightEntity } from '../entities/insight.entity.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import { Binder } from '../query/binder.js';
import { TURN_CATEGORY } from '../query/turn-conditions.js';
import { type InsightView, isInsightInViewSql, isOnSql } from './insight-view.js';
import { isStandingSql } from './standing-ground.js';

/** Whether insights are on for the user: their own decision, else the default. */
export async function areInsightsOn(tx: Tx, userId: string, isOnByDefault: boolean): Promise<boolean> {
  const [row] = await tx.query<{ is_on: boolean }>(`SELECT ${isOnSql('$1', '$2')} AS is_on`, [userId, isOnByDefault]);
  return row!.is_on;
}

/** Whether the caller may see this memory, should it be an insight, and whether insights of its user are on. */
export async function readInsightAccess(
  tx: Tx,
  { id, userId }: { readonly id: string; readonly userId: string },
  view: InsightView,
): Promise<{ readonly isInView: boolean; readonly isOn: boolean }> {
  const { bind, values } = new Binder();
  const memory = `(SELECT ${bind(id)}::uuid AS id) m`;
  const [row] = await tx.query<{ in_view: boolean; is_on: boolean }>(
    `SELECT ${isInsightInViewSql('m', view, bind)} AS in_view,
            ${isOnSql(`${bind(userId)}::text`, bind(view.isOnByDefault))} AS is_on
       FROM ${memory}`,
    values,
  );
  return { isInView: row!.in_view, isOn: row!.is_on };
}

type InsightRow = Pick<
  MemoryEntity,
  | 'id'
  | 'content'
  | 'state'
  | 'confidence'
  | 'revision'
  | 'superseded_by'
  | 'recorded_at'
  | 'quarantine_reason'
  | 'provider'
> &
  Pick<InsightEntity, 'agent_id' | 'tags' | 'field' | 'value' | 'run_id'>;

/** All insights about a person in any state, newest first, with their ground. Throws InvalidCursorError. */
export async function listInsights(tx: Tx, userId: string, { limit, cursor }: PageQuery): Promise<InsightPage> {
  const before = parseCursor(cursor, ['uuid']);
  const rows = await tx.query<InsightRow>(
    `SELECT m.id, m.content, m.state, m.confidence, m.revision, m.superseded_by, m.recorded_at, m.quarantine_reason,
            m.provider, i.agent_id, i.tags, i.field, i.value, i.run_id
       FROM insights i JOIN memories m ON m.id = i.memory_id
      WHERE i.user_id = $1 AND ($2::uuid IS NULL OR i.memory_id < $2) ORDER BY i.memory_id DESC LIMIT $3`,
    [userId, before?.[0] ?? null, limit + 1],
  );
  const grounds = await loadGrounds(
    tx,
    rows.slice(0, limit).map(({ id }) => id),
    null,
  );
  return buildPage(
    rows,
    limit,
    (row) => toInsight(row, grounds.get(row.id) ?? []),
    (row) => [row.id],
  );
}

function toInsight(row: InsightRow, ground: readonly Ground[]): Insight {
  const isDeleted = row.state === 'soft_deleted';
  return {
    id: row.id,
    content: removeHidden(row.content),
    state: isDeleted
      ? 'deleted'
      : row.superseded_by !== null
        ? 'superseded'
        : row.state === 'active'
          ? 'current'
          : 'quarantined',
    confidence: row.confidence,
    tags: row.tags,
    suggests: row.field === null || row.value === null ? null : { field: row.field, value: removeHidden(row.value) },
    agent_id: row.agent_id,
    provider: row.provider,
    revision: row.revision,
    superseded_by: row.superseded_by,
    quarantine_reason: row.quarantine_reason,
    recorded_at: row.recorded_at.toISOString(),
    run_id: row.run_id,
    ground: [...ground],
  };
}

interface GroundRow {
  readonly memory_id: string;
  readonly message_id: string | null;
  readonly ground_id: string | null;
  readonly conversation_id: string | null;
  readonly thread_id: string | null;
  readonly role: string | null;
  readonly category: string | null;
  readonly content: string | null;
  readonly said_at: Date | null;
  readonly stands: boolean;
}

/**
 * What insights rest on, by id, in their order. The words of what is gone, and of what the caller may not see, are left
 * out. `categories`: as in `InsightView`.
 */
async function loadGrounds(
  tx: Tx,
  ids: readonly string[],
  categories: readonly string[] | null,
): Promise<Map<string, Ground[]>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<GroundRow>(
    `SELECT r.memory_id, r.message_id, r.ground_id, t.conversation_id, c.thread_id, t.role, k.category,
            coalesce(t.content, k.content) AS content, coalesce(t.said_at, k.valid_from) AS said_at,
            ${isStandingSql('r')} AS stands
       FROM insight_grounds r
       JOIN insights i ON i.memory_id = r.memory_id AND i.is_grounded
       LEFT JOIN messages t ON t.id = r.message_id
       LEFT JOIN conversations c ON c.id = t.conversation_id
       LEFT JOIN memories k ON k.id = r.ground_id
      WHERE r.memory_id = ANY ($1) ORDER BY r.memory_id, r.ordinal`,
    [ids],
  );
  const grounds = new Map<string, Ground[]>();
  for (const row of rows) {
    const known = grounds.get(row.memory_id) ?? [];
    grounds.set(row.memory_id, [...known, toGround(row, categories)]);
  }
  return grounds;
}

/** Turns are of one category, whatever is said in them (docs/reference/recall.md#turns-are-recallable). */
function toGround(row: GroundRow, categories: readonly string[] | null): Ground {
  const category = row.ground_id === null ? TURN_CATEGORY : row.category;
  const isVisible = categories === null || (category !== null && categories.includes(category));
  const words = row.stands && isVisible && row.content !== null ? removeHidden(row.content) : null;
  const state = row.stands ? ('stands' as const) : ('gone' as const);
  const saidAt = row.said_at?.toISOString() ?? null;
  if (row.ground_id !== null) {
    return { kind: 'memory', memory_id: row.ground_id, category: row.category, content: words, said_at: saidAt, state };
  }
  return {
    kind: 'message',
    message_id: row.message_id!,
    conversation_id: row.conversation_id,
    thread_id: row.thread_id,
    role: row.role,
    content: words,
    said_at: saidAt,
    state,
  };
}

interface SourceRow {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly thread_id: string;
  readonly role: string;
  readonly quote: string;
  readonly said_at: Date;
}

/** Why a memory is held: the ground of an insight, and the words that any memory quotes. */
export async function explainMemory(
  tx: Tx,
  id: string,
  { categories }: Pick<InsightView, 'categories'>,
): Promise<Pick<MemoryReasons, 'ground'>> {
  const [grounds, sources] = await allOf([
    loadGrounds(tx, [id], categories),
    tx.query<SourceRow>(
      `SELECT s.message_id, s.conversation_id, s.thread_id, s.role, s.quote, s.said_at
         FROM memory_sources s WHERE s.memory_id = $1 ORDER BY s.said_at, s.message_id`,
      [id],
    ),
  ]);
  const quoted = sources.map(({ quote, said_at, ...source }): Ground => ({
    kind: 'message',
    ...source,
    content: removeHidden(quote),
    said_at: said_at.toISOString(),
    state: 'stands',
  }));
  return { ground: [...(grounds.get(id) ?? []), ...quoted] };
}
