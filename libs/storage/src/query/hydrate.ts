import type { MemoryType } from '@annals/contracts';
import type { RecallCandidate } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import { distanceOfSql, scanFrom } from '../vectors/index.js';
import { Binder } from './binder.js';
import { type CitingFact, isSupersededTurn } from './is-superseded-turn.js';
import { memoryConditions } from './memory-conditions.js';
import type { RecallSearch } from './recall-search.js';
import type { LexicalScores } from './score-index.js';
import { HIDES_ITS_TURNS, spokenConditions, TURN_CATEGORY, TURN_IMPORTANCE } from './turn-conditions.js';
import { heldSql } from './validity-conditions.js';

type Bind = (value: unknown) => string;

/** What a row does not know of itself: these depend on the whole answer. */
export type HydratedUnit = Omit<RecallCandidate, 'lexicalCeiling' | 'relatedStrength'>;

// Keeps a look-up by key what it is: the planner, which cannot know how few are wanted, would rather read a whole table.
const ROW_BY_ROW = 'OFFSET 0';

/** What is to be read: units of the index by number, and what is known by its id. */
export interface Wanted {
  readonly units: readonly number[];
  readonly ids: readonly string[];
}

/** Sub-select of `(id, unit)`: each of them once. */
export interface WantedMemories extends Wanted {
  /** What is known already, by memory id; the others' are read. */
  readonly cosines: ReadonlyMap<string, number>;
}

function wantedSql(column: 'memory_id' | 'message_id', user: string, { units, ids }: Wanted, bind: Bind): string {
  const numbers = `${bind(units)}::int[]`;
  return `SELECT n.id, n.unit FROM (
            SELECT u.${column} AS id, u.unit FROM lexical_units u
             WHERE u.user_id = ${user} AND u.unit = ANY (${numbers}) ${ROW_BY_ROW}) n
           WHERE n.id IS NOT NULL
          UNION ALL
          SELECT r.id, l.unit FROM unnest(${bind(ids)}::uuid[]) AS r (id)
            LEFT JOIN LATERAL (SELECT l.unit FROM lexical_units l WHERE l.${column} = r.id ${ROW_BY_ROW}) l ON true
           WHERE l.unit IS NULL OR NOT l.unit = ANY (${numbers})`;
}

export interface MemoryRow {
  id: string;
  category: string;
  type: MemoryType;
  content: string;
  importance: number;
  confidence: number;
  pinned: boolean;
  valid_from: Date;
  valid_to: Date | null;
  superseded_by: string | null;
  recorded_at: Date;
  unit: number | null;
  cosine: number | null;
  said_at: Date | null;
  message_ids: string[] | null;
  actor_id: string | null;
  thread_id: string | null;
}

/** An edge between two memories that are wanted; a filter may leave out either. */
export interface WantedEdge {
  readonly from_id: string;
  readonly to_id: string;
  readonly strength: number;
}

/** The memories among what is wanted that fulfil all filters, and the edges between them. */
export async function hydrateMemories(
  tx: Tx,
  search: RecallSearch,
  wanted: WantedMemories,
  scores: LexicalScores,
): Promise<{ rows: HydratedUnit[]; edges: WantedEdge[] }> {
  const { bind, values } = new Binder();
  const user = bind(search.userId);
  const cosine = search.queryVector
    ? distanceOfSql(scanFrom({ userId: search.userId, model: search.model, vector: search.queryVector }, bind), 'w.id')
    : 'NULL::float8';
  const known = bind([...wanted.cosines.keys()]);
  // One order for all that is gathered of a memory's sources: it is sorted once.
  const rows = await tx.query<MemoryRow & { edges: WantedEdge[] | null }>(
    `WITH wanted AS MATERIALIZED (${wantedSql('memory_id', user, wanted, bind)})
     SELECT m.*, w.unit, s.said_at, s.message_ids, s.actor_id, s.thread_id, 
            CASE WHEN w.id <> ALL (${known}::uuid[]) THEN ${cosine} END AS cosine,
            (SELECT json_agg(json_build_object('from_id', r.from_id, 'to_id', r.to_id, 'strength', r.strength))
               FROM relations r WHERE r.from_id = w.id AND r.to_id IN (SELECT id FROM wanted)) AS edges
       FROM wanted w
      CROSS JOIN LATERAL (
        SELECT m.id, m.category, m.type, m.content, m.importance, m.confidence, m.pinned, m.valid_from, m.valid_to,
               m.superseded_by, m.recorded_at
          FROM memories m WHERE m.id = w.id AND ${memoryConditions(search, bind)} ${ROW_BY_ROW}) m
      CROSS JOIN LATERAL (
        SELECT max(f.said_at) AS said_at, array_agg(f.message_id ORDER BY f.said_at, f.message_id) AS message_ids,
               (array_agg(f.actor_id ORDER BY f.said_at, f.message_id))[count(*)] AS actor_id,
               (array_agg(f.thread_id ORDER BY f.said_at, f.message_id))[count(*)] AS thread_id
          FROM memory_sources f WHERE f.memory_id = w.id) s`,
    values,
  );
  return {
    rows: rows.map((row) => toMemory(row, scores.of(row), search.now)),
    edges: rows.flatMap(({ edges }) => edges ?? []),
  };
}

export function toMemory(row: MemoryRow, lexical: number, now: number): HydratedUnit {
  return {
    kind: 'memory',
    id: row.id,
    category: row.category,
    type: row.type,
    content: row.content,
    importance: row.importance,
    confidence: row.confidence,
    pinned: row.pinned,
    validFrom: row.valid_from.getTime(),
    validTo: row.valid_to?.getTime() ?? null,
    recordedAt: row.recorded_at.getTime(),
    saidAt: (row.said_at ?? row.valid_from).getTime(),
    cosine: row.cosine,
    lexical,
    speaker: row.actor_id,
    threadId: row.thread_id,
    messageIds: row.message_ids ?? [],
    isSuperseded: row.superseded_by !== null || (row.valid_to !== null && row.valid_to.getTime() <= now),
    vector: null,
  };
}

interface TurnRow {
  id: string;
  content: string;
  role: string;
  actor_id: string | null;
  said_at: Date;
  received_at: Date;
  thread_id: string;
  unit: number | null;
  facts: CitingFact[] | null;
}

/** The turns among what is wanted that fulfil all filters. */
export async function hydrateTurns(
  tx: Tx,
  search: RecallSearch,
  wanted: Wanted,
  scores: LexicalScores,
): Promise<HydratedUnit[]> {
  const { bind, values } = new Binder();
  const user = bind(search.userId);
  const rows = await tx.query<TurnRow>(
    `WITH wanted AS MATERIALIZED (${wantedSql('message_id', user, wanted, bind)})
     SELECT g.*, w.unit, f.facts
       FROM wanted w
      CROSS JOIN LATERAL (
        SELECT g.id, g.content, g.role, g.actor_id, g.said_at, g.received_at, c.thread_id
          FROM messages g JOIN conversations c ON c.tenant_id = g.tenant_id AND c.id = g.conversation_id
         WHERE g.id = w.id AND ${spokenConditions(search, bind)} ${ROW_BY_ROW}) g
      CROSS JOIN LATERAL (
        SELECT json_agg(json_build_object('id', d.id, 'hash', d.normalized_hash, 'supersededBy', d.superseded_by,
                                          'holds', ${heldSql('d', search, bind)}))
                 FILTER (WHERE d.state = 'active') AS facts,
               bool_or(${HIDES_ITS_TURNS}) AS is_hidden
          FROM memory_sources s JOIN memories d ON d.tenant_id = s.tenant_id AND d.id = s.memory_id
         WHERE s.message_id = w.id) f
      WHERE f.is_hidden IS NOT TRUE`,
    values,
  );
  return rows.map((row) => toTurn(row, scores.of(row)));
}

function toTurn(row: TurnRow, lexical: number): HydratedUnit {
  return {
    kind: 'turn',
    id: row.id,
    category: TURN_CATEGORY,
    type: 'turn',
    content: row.content,
    importance: TURN_IMPORTANCE,
    confidence: 1,
    pinned: false,
    validFrom: row.said_at.getTime(),
    validTo: null,
    recordedAt: row.received_at.getTime(),
    saidAt: row.said_at.getTime(),
    cosine: null,
    lexical,
    // AGT §3.5: what has no name goes by its role.
    speaker: row.actor_id ?? row.role,
    threadId: row.thread_id,
    messageIds: [row.id],
    isSuperseded: isSupersededTurn(row.facts ?? []),
    vector: null,
  };
}
