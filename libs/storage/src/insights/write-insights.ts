import { RELATIONSHIP_CATEGORY } from '@annals/contracts';
import {
  type CheckedInsight,
  compareInsights,
  hashContent,
  listContextInsights,
  type MemoryChange,
  type NewMemory,
  planInsights,
  type EvidenceReference,
  type ShownEvidence,
  type StoredInsight,
} from '@annals/domain';
import { observeInsight } from '../context/observe-context.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { InsightEntity } from '../entities/insight.entity.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { MindRunEntity } from '../entities/mind.entity.js';
import { IS_CURRENT_SQL } from '../memories/is-current.js';
import { writeMemories, type WriteDependencies } from '../memories/write-memories.js';
import { isStandingSql } from './standing-ground.js';

/** The insights of one run that passed the checks. */
export interface InsightWrite {
  readonly userId: string;
  readonly runId: string;
  readonly agentId: string | null;
  /** Names of the person. */
  readonly names: readonly string[];
  /** Kept ones have evidence, quarantined ones have none. */
  readonly insights: readonly CheckedInsight[];
  /** All that was read for them: what one without evidence may rest on. */
  readonly read: readonly EvidenceReference[];
  readonly provider: string;
  readonly model: string;
}

/** What became of them, by name. `context`: changes or signals of the user context. */
export interface InsightCounts {
  readonly created: number;
  readonly superseded: number;
  readonly quarantined: number;
  /** Said already, by an insight, a statement, or an insight that the person deleted. */
  readonly known: number;
  /** What they rest on was deleted during the run. */
  readonly groundless: number;
  readonly context: number;
}

const ACTOR = 'insights';
/** Why an insight without evidence is quarantined. */
const WITHOUT_EVIDENCE = 'no_evidence';

/**
 * Writes insights as memories with their ground (docs/reference/insights.md#stored-insights), ends those that they repeat
 * or contradict, and hands certain ones to the user context. Runs under the user's lock.
 */
export async function writeInsights(
  tx: Tx,
  write: InsightWrite,
  dependencies: WriteDependencies,
): Promise<InsightCounts> {
  const { userId, agentId, names } = write;
  const isUnfounded = write.insights.some(({ evidence }) => evidence.length === 0);
  const evidence = write.insights.flatMap((insight) => insight.evidence);
  const [standing, earlier, stated, costMicroUsd] = await allOf([
    loadStanding(tx, isUnfounded ? [...evidence, ...write.read] : evidence),
    loadEarlier(tx, userId, agentId),
    loadStated(tx, userId, write.insights),
    loadCost(tx, write.runId),
  ]);
  const grounded = write.insights.map((insight) => keepStanding(insight, standing));
  const isReadStanding = write.read.every(({ id }) => standing.has(id));
  const held = grounded.filter(
    ({ evidence: of }, at) => of.length > 0 || (write.insights[at]!.evidence.length === 0 && isReadStanding),
  );
  const fresh = held.filter(
    (insight) => !stated.has(hashContent(insight.summary)) && !wasDeleted(insight, earlier, names),
  );
  const current = earlier.filter(({ isCurrent }) => isCurrent);
  const { known, superseded } = planInsights(current, fresh, names);
  const written = fresh.flatMap((insight, at) => {
    // What is quarantined is served to nobody, so it ends nothing.
    const isGrounded = insight.evidence.length > 0;
    const ended = isGrounded ? superseded.filter(({ by }) => by === at).map(({ id }) => id) : [];
    return known.includes(at) ? [] : [{ insight, ended }];
  });
  const now = dependencies.clock.now();
  const changes = written.map(({ insight, ended }): MemoryChange => ({
    kind: 'observe',
    memory: toMemory(insight, write, { now, costMicroUsd: Math.floor(costMicroUsd / written.length) }),
    matches: {
      replaces: current.filter(({ id }) => ended.includes(id)).map(({ id, revision }) => ({ memoryId: id, revision })),
    },
  }));
  const rows: NewInsight[] = [];
  if (changes.length > 0) {
    const command = { userId, actor: ACTOR, node: 'tom', changes, existingUserOnly: true };
    const result = await writeMemories(tx, command, dependencies);
    if (result.outcome !== 'applied')
      throw new Error(`Insights cannot end as ${result.outcome} under the user's lock.`);
    for (const [at, { outcome, memoryId }] of result.results.entries()) {
      const isNew = outcome === 'inserted' || outcome === 'superseded' || outcome === 'quarantined';
      if (isNew) rows.push({ memoryId, outcome, ...written[at]! });
    }
    if (rows.length > 0) tx.atCommit(...insertInsights(tx, write, rows));
  }
  const suggestions = listContextInsights(rows.map(({ insight }) => insight));
  for (const suggestion of suggestions) await observeInsight(tx, { userId, ...suggestion }, dependencies);
  const created = rows.filter(({ outcome }) => outcome !== 'quarantined');
  return {
    created: created.length,
    superseded: created.reduce((sum, { ended }) => sum + ended.length, 0),
    quarantined: rows.length - created.length,
    known: held.length - rows.length,
    groundless: grounded.length - held.length,
    context: suggestions.length,
  };
}

interface NewInsight {
  readonly memoryId: string;
  readonly outcome: 'inserted' | 'superseded' | 'quarantined';
  readonly insight: CheckedInsight;
  /** Insights that it ends. */
  readonly ended: readonly string[];
}

interface EarlierInsight extends StoredInsight {
  readonly revision: number;
  readonly isCurrent: boolean;
  /** Epoch ms; null unless the person deleted it. */
  readonly deletedAt: number | null;
}

/** The insight with what is left of its evidence; a change of the context needs the message that it is based on. */
function keepStanding(insight: CheckedInsight, standing: ReadonlySet<string>): CheckedInsight {
  const evidence = insight.evidence.filter(({ id }) => standing.has(id));
  const isBased = evidence.some(({ messageId }) => messageId === insight.inferred?.messageId);
  return { ...insight, evidence, inferred: isBased ? insight.inferred : null };
}

/** What the person deleted is not inferred again from what had been said by then. */
function wasDeleted(
  { summary, evidence }: CheckedInsight,
  earlier: readonly EarlierInsight[],
  names: readonly string[],
): boolean {
  const newest = newestOf(evidence);
  return earlier.some(
    ({ deletedAt, summary: deleted }) =>
      deletedAt !== null && newest <= deletedAt && compareInsights(deleted, summary, names) === 'repeats',
  );
}

function newestOf(evidence: readonly ShownEvidence[]): number {
  return Math.max(0, ...evidence.map(({ saidAt }) => saidAt));
}

function toMemory(
  { summary, importance, confidence, evidence }: CheckedInsight,
  { provider, model }: InsightWrite,
  { now, costMicroUsd }: { readonly now: number; readonly costMicroUsd: number },
): NewMemory {
  return {
    content: summary,
    category: RELATIONSHIP_CATEGORY,
    type: 'insight',
    origin: 'extraction',
    importance,
    confidence,
    pinned: false,
    emotionalContext: null,
    significance: null,
    relationshipDynamics: null,
    rationale: null,
    provider,
    model,
    costMicroUsd,
    quarantineReason: evidence.length > 0 ? null : WITHOUT_EVIDENCE,
    // It holds since it was inferred; what it rests on may be older than an insight that it ends.
    validFrom: now,
    validTo: null,
    saidAt: newestOf(evidence),
    sources: [],
  };
}

/** What the calls of a run cost. */
async function loadCost(tx: Tx, runId: string): Promise<number> {
  const [run] = await tx.query<Pick<MindRunEntity, 'cost_micro_usd'>>(
    'SELECT cost_micro_usd FROM mind_runs WHERE id = $1',
    [runId],
  );
  return Number(run?.cost_micro_usd ?? 0);
}

/** Ids of what is still there. */
async function loadStanding(tx: Tx, evidence: readonly EvidenceReference[]): Promise<ReadonlySet<string>> {
  if (evidence.length === 0) return new Set();
  const rows = evidence.map(({ kind, id }) => (kind === 'memory' ? { ground_id: id } : { message_id: id }));
  const standing = await tx.query<{ id: string }>(
    `SELECT coalesce(r.ground_id, r.message_id) AS id
       FROM json_to_recordset($1) AS r (ground_id uuid, message_id uuid) WHERE ${isStandingSql('r')}`,
    [JSON.stringify(rows)],
  );
  return new Set(standing.map(({ id }) => id));
}

type EarlierRow = Pick<MemoryEntity, 'id' | 'content' | 'revision' | 'deleted_at'> &
  Pick<InsightEntity, 'field' | 'value'> & { is_current: boolean };

/** Current insights of the agent, and those that the person deleted. */
async function loadEarlier(tx: Tx, userId: string, agentId: string | null): Promise<EarlierInsight[]> {
  const rows = await tx.query<EarlierRow>(
    `SELECT m.id, m.content, m.revision, m.deleted_at, i.field, i.value, ${IS_CURRENT_SQL} AS is_current
       FROM insights i JOIN memories m ON m.id = i.memory_id
      WHERE i.user_id = $1 AND (${IS_CURRENT_SQL} AND i.agent_id IS NOT DISTINCT FROM $2 OR m.deleted_by = 'user')
      ORDER BY m.recorded_at, m.id`,
    [userId, agentId],
  );
  return rows.map(({ id, content, revision, deleted_at, field, value, is_current: isCurrent }) => ({
    id,
    summary: content,
    revision,
    inferred: field === null || value === null ? null : { field, value },
    isCurrent,
    deletedAt: isCurrent ? null : (deleted_at?.getTime() ?? null),
  }));
}

/** Hashes of what a current memory says in the same words. */
async function loadStated(tx: Tx, userId: string, insights: readonly CheckedInsight[]): Promise<ReadonlySet<string>> {
  const hashes = insights.map(({ summary }) => hashContent(summary));
  const rows = await tx.query<Pick<MemoryEntity, 'normalized_hash'>>(
    `SELECT m.normalized_hash FROM memories m
      WHERE m.user_id = $1 AND m.normalized_hash = ANY ($2) AND ${IS_CURRENT_SQL}`,
    [userId, hashes],
  );
  return new Set(rows.map((row) => row.normalized_hash));
}

function insertInsights(tx: Tx, { userId, runId, agentId, read }: InsightWrite, rows: readonly NewInsight[]) {
  const insights = rows.map(({ memoryId, insight: { tags, inferred, evidence } }) => ({
    memory_id: memoryId,
    is_grounded: evidence.length > 0,
    tags,
    field: inferred?.field ?? null,
    value: inferred?.value ?? null,
  }));
  const grounds = rows.flatMap(({ memoryId, insight: { evidence } }) =>
    (evidence.length > 0 ? evidence : read).map(({ kind, id }, ordinal) => ({
      memory_id: memoryId,
      ordinal,
      ...(kind === 'memory' ? { ground_id: id } : { message_id: id }),
    })),
  );
  return [
    tx.execute(
      `INSERT INTO insights (memory_id, user_id, run_id, agent_id, is_grounded, tags, field, value)
       SELECT r.memory_id, $2, $3, $4, r.is_grounded, ARRAY (SELECT jsonb_array_elements_text(r.tags)), r.field, r.value
         FROM json_to_recordset($1) AS r (memory_id uuid, is_grounded boolean, tags jsonb, field text, value text)`,
      [JSON.stringify(insights), userId, runId, agentId],
    ),
    tx.execute(
      `INSERT INTO insight_grounds (memory_id, ordinal, user_id, message_id, ground_id)
       SELECT r.memory_id, r.ordinal, $2, r.message_id, r.ground_id
         FROM json_to_recordset($1) AS r (memory_id uuid, ordinal smallint, message_id uuid, ground_id uuid)`,
      [JSON.stringify(grounds), userId],
    ),
  ];
}
