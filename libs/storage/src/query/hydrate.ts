import {
  type CitingFact,
  type EndedEcho,
  identifyTurnSpeaker,
  judgeTurn,
  keepHolding,
  labelTurnSpeaker,
  listReplaced,
  listStated,
} from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import { readBesides } from '../echoes/find-echoes.js';
import type { ConversationEntity } from '../entities/conversation.entity.js';
import type { RelationEntity } from '../entities/memory.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import { isMergedSql } from '../memories/is-merged.js';
import { cosineOfSql, scanFrom } from '../vectors/index.js';
import { type Bind, Binder } from './binder.js';
import {
  candidateColumns,
  type CandidateRow,
  epochMsSql,
  type HydratedUnit,
  sourcesSql,
  toMemory,
} from './candidate-row.js';
import { endedEchoesSql, isVisibleSql, replacedBySql, successorSql } from './ended-turns.js';
import type { LexicalScores } from './lexical-scores.js';
import { endSql, hasEndedSql, memoryConditions } from './memory-conditions.js';
import { packVectorsSql, unpackVectors } from './packed-vectors.js';
import type { RecallSearch } from './recall-search.js';
import { HIDES_TURN_SQL, spokenConditions, TURN_CATEGORY, TURN_IMPORTANCE } from './turn-conditions.js';

// Keeps a look-up by key: the planner, which cannot know how few rows are requested, would otherwise prefer to read a
// whole table.
const OPTIMIZATION_FENCE = 'OFFSET 0';

/** The rows to read: units of the index by number, and others by id. */
export interface RequestedUnits {
  readonly units: readonly number[];
  readonly ids: readonly string[];
}

export interface RequestedMemories extends RequestedUnits {
  /** Cosines that are already known, by memory id; the others are computed. */
  readonly cosines: ReadonlyMap<string, number>;
}

/** Built as one text: the driver would escape each element separately. */
const arrayLiteral = (values: readonly (string | number)[]) => `{${values.join(',')}}`;

/** Sub-select of `(id, unit)`, each once. */
function requestedSql(
  column: 'memory_id' | 'message_id',
  user: string,
  { units, ids }: RequestedUnits,
  bind: Bind,
): string {
  const numbers = `${bind(arrayLiteral(units))}::int[]`;
  return `SELECT n.id, n.unit FROM (
            SELECT u.${column} AS id, u.unit FROM lexical_units u
             WHERE u.user_id = ${user} AND u.unit = ANY (${numbers}) ${OPTIMIZATION_FENCE}) n
           WHERE n.id IS NOT NULL
          UNION ALL
          SELECT r.id, l.unit FROM unnest(${bind(arrayLiteral(ids))}::uuid[]) AS r (id)
            LEFT JOIN LATERAL (SELECT l.unit FROM lexical_units l WHERE l.${column} = r.id ${OPTIMIZATION_FENCE}) l ON true
           WHERE l.unit IS NULL OR NOT l.unit = ANY (${numbers})`;
}

/** An edge between two requested memories; a filter may leave out either. */
export type CandidateEdge = Readonly<Pick<RelationEntity, 'from_id' | 'to_id' | 'strength'>>;

type MemoryRow = CandidateRow & { unit: number | null; cosine: number | null; edges: CandidateEdge[] | null };

/** The requested memories that pass all filters, and the edges between them. */
export async function hydrateMemories(
  tx: Tx,
  search: RecallSearch,
  requested: RequestedMemories,
  scores: LexicalScores,
): Promise<{ rows: HydratedUnit[]; edges: CandidateEdge[] }> {
  const { bind, values } = new Binder();
  const user = bind(search.userId);
  const cosine = search.queryVector
    ? cosineOfSql(scanFrom({ userId: search.userId, model: search.model, vector: search.queryVector }, bind), 'w.id')
    : 'NULL::float8';
  const known = bind(arrayLiteral([...requested.cosines.keys()]));
  const packed = search.withVectors ? packVectorsSql({ user, model: bind(search.model) }, 't.id') : 'NULL::bytea';
  const [all] = await tx.query<{ rows: MemoryRow[] | null; vectors: Buffer | null }>(
    `WITH requested AS MATERIALIZED (${requestedSql('memory_id', user, requested, bind)})
     SELECT json_agg(t) AS rows, ${packed} AS vectors FROM (SELECT m.*, w.unit, ${sourcesSql('w.id')} AS sources,
            CASE WHEN w.id <> ALL (${known}::uuid[]) THEN ${cosine} END AS cosine,
            (SELECT json_agg(json_build_object('from_id', r.from_id, 'to_id', r.to_id, 'strength', r.strength))
               FROM relations r WHERE r.from_id = w.id AND r.to_id IN (SELECT id FROM requested)) AS edges
       FROM requested w
      CROSS JOIN LATERAL (
        SELECT ${candidateColumns(search, bind)} FROM memories m
         WHERE m.id = w.id AND ${memoryConditions(search, bind)} ${OPTIMIZATION_FENCE}) m) t`,
    values,
  );
  const rows = all!.rows ?? [];
  const vectors = unpackVectors(all!.vectors);
  return {
    rows: rows.map((row) => {
      const cosineOfRow = requested.cosines.get(row.id) ?? row.cosine;
      const memory = toMemory(row, { cosine: cosineOfRow, lexical: scores.of(row) }, search.now);
      const vector = vectors.get(row.id);
      return vector ? { ...memory, vector } : memory;
    }),
    edges: rows.flatMap(({ edges }) => edges ?? []),
  };
}

/** Times are epoch ms. */
type TurnRow = Pick<MessageEntity, 'id' | 'conversation_id' | 'content' | 'role' | 'actor_id'> &
  Pick<ConversationEntity, 'thread_id'> & {
    said_at: number;
    received_at: number;
    unit: number | null;
    facts: CitingFact[] | null;
    echoes: EndedEcho[] | null;
  };

/** The requested turns that pass all filters. */
export async function hydrateTurns(
  tx: Tx,
  search: RecallSearch,
  requested: RequestedUnits,
  scores: LexicalScores,
): Promise<HydratedUnit[]> {
  const { bind, values } = new Binder();
  const user = bind(search.userId);
  const rows = await tx.query<TurnRow>(
    `WITH requested AS MATERIALIZED (${requestedSql('message_id', user, requested, bind)})
     SELECT g.*, w.unit, f.facts, CASE WHEN g.has_echoes THEN ${endedEchoesSql('g.id', search, bind)} END AS echoes
       FROM requested w
      CROSS JOIN LATERAL (
        SELECT g.id, g.conversation_id, g.content, g.role, g.actor_id, ${epochMsSql('g.said_at')} AS said_at,
               ${epochMsSql('g.received_at')} AS received_at, c.thread_id, g.echo_of IS NOT NULL AS has_echoes
          FROM messages g JOIN conversations c ON c.tenant_id = g.tenant_id AND c.id = g.conversation_id
         WHERE g.id = w.id AND ${spokenConditions(search, bind)} ${OPTIMIZATION_FENCE}) g
      CROSS JOIN LATERAL (
        SELECT json_agg(json_build_object('id', d.id, 'hash', d.normalized_hash, 'quote', s.quote,
                                          'supersededBy', ${successorSql('d', search, bind)},
                                          'content', CASE WHEN d.superseded_by IS NOT NULL THEN d.content END,
                                          'replacedBy', ${replacedBySql('d', search, bind)},
                                          'validTo', ${epochMsSql(endSql('d', search, bind))},
                                          'holds', NOT ${hasEndedSql('d', search, bind)}))
                 FILTER (WHERE d.state = 'active' AND ${isVisibleSql('d', search, bind)} AND NOT ${isMergedSql('d')})
                 AS facts,
               bool_or(${HIDES_TURN_SQL}) AS is_hidden
          FROM memory_sources s JOIN memories d ON d.tenant_id = s.tenant_id AND d.id = s.memory_id
         WHERE s.message_id = w.id) f
      WHERE f.is_hidden IS NOT TRUE`,
    values,
  );
  const turns: HydratedUnit[] = [];
  for (const row of rows) turns.push(await toTurn(row, scores.of(row), search.userId));
  return search.currentOnly ? turns.flatMap((turn) => keepHolding(turn) ?? []) : turns;
}

async function toTurn(row: TurnRow, lexical: number, userId: string): Promise<HydratedUnit> {
  const speaking = { role: row.role, actorId: row.actor_id };
  const [facts, echoes] = [row.facts ?? [], row.echoes ?? []];
  const replaced = listReplaced(facts, echoes);
  const quotes = listStated(facts).map(({ quote }) => quote);
  const besides =
    replaced.length === 0 ? null : await readBesides(identifyTurnSpeaker(userId, speaking), row, replaced, quotes);
  return {
    kind: 'turn',
    scope: 'user',
    id: row.id,
    category: TURN_CATEGORY,
    type: 'turn',
    content: row.content,
    importance: TURN_IMPORTANCE,
    confidence: 1,
    pinned: false,
    validFrom: Math.round(row.said_at),
    recordedAt: Math.round(row.received_at),
    saidAt: Math.round(row.said_at),
    cosine: null,
    lexical,
    // A message without actor has its role as speaker (docs/reference/recall.md#form-of-an-answer).
    speaker: row.actor_id ?? row.role,
    speakerLabel: labelTurnSpeaker(userId, speaking),
    threadId: row.thread_id,
    messageIds: [row.id],
    sources: [{ messageId: row.id, conversationId: row.conversation_id }],
    ...judgeTurn(facts, echoes, besides),
  };
}
