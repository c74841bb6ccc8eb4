import { type AuditFinding, verifyHistory } from '@annals/storage';
import type { AdminQuery } from '../processes/annals-system.js';
import { asTenant } from './as-tenant.js';

/** The expected data once everything that was accepted is done. */
export interface Expectations {
  /** Every batch that was returned to a caller. */
  readonly batchIds: readonly string[];
  /** Contents of the current memories by user, each exactly once, and no others. */
  readonly contents: ReadonlyMap<string, ReadonlySet<string>>;
}

type Check = (query: AdminQuery, expected: Expectations) => Promise<unknown[]>;

/** Violations by rule, at most five of each, in the whole database. Rules without violations are left out. */
export async function findBrokenInvariants(
  query: AdminQuery,
  expected: Expectations,
): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {};
  for (const [rule, check] of Object.entries(RULES)) {
    const offenders = await check(query, expected);
    if (offenders.length > 0) broken[rule] = offenders.slice(0, 5);
  }
  return broken;
}

/** Throws with the broken rules and some of their violations. */
export async function assertNothingLostOrDuplicated(query: AdminQuery, expected: Expectations): Promise<void> {
  const broken = await findBrokenInvariants(query, expected);
  if (Object.keys(broken).length > 0) throw new Error(`Broken invariants: ${JSON.stringify(broken, null, 2)}`);
}

const CURRENT = `state = 'active' AND superseded_by IS NULL AND valid_to IS NULL`;

const RULES: Readonly<Record<string, Check>> = {
  'every accepted batch is done': (query, { batchIds }) =>
    query(
      `SELECT wanted.id, b.state FROM unnest($1::uuid[]) AS wanted(id) LEFT JOIN batches b ON b.id = wanted.id
        WHERE b.state IS DISTINCT FROM 'done'`,
      [batchIds],
    ),
  'no batch is left unfinished': (query) => query(`SELECT id, state, error_code FROM batches WHERE state <> 'done'`),
  'no work is left in the outbox': (query) => query('SELECT kind, subject_id, generation FROM work'),
  'every message belongs to a batch that counts it': (query) =>
    query(
      `SELECT b.id, b.message_count, count(m.id) FROM batches b
         LEFT JOIN messages m ON m.tenant_id = b.tenant_id AND m.batch_id = b.id
        GROUP BY b.id, b.message_count HAVING count(m.id) <> b.message_count`,
    ),
  'no memory is missing, and none is unexpected': findWrongContents,
  'no statement is in two rows': (query) =>
    query(
      `SELECT tenant_id, user_id, normalized_hash, count(*) FROM memories WHERE ${CURRENT}
        GROUP BY 1, 2, 3 HAVING count(*) > 1`,
    ),
  'every memory was added once': (query) =>
    query(
      `SELECT m.id, m.state, count(h.id) FROM memories m
         LEFT JOIN history h ON h.tenant_id = m.tenant_id AND h.memory_id = m.id AND h.event IN ('ADD', 'QUARANTINE')
        GROUP BY m.id, m.state HAVING count(h.id) <> 1`,
    ),
  'history has as many rows as the batches report writes': (query) =>
    query(
      `SELECT b.id, b.inserted, b.updated, b.quarantined,
              count(*) FILTER (WHERE h.event = 'ADD') AS added,
              count(*) FILTER (WHERE h.event IN ('UPDATE', 'MERGE', 'RESTORE', 'DELETE')) AS changed,
              count(*) FILTER (WHERE h.event = 'QUARANTINE') AS held_back
         FROM batches b LEFT JOIN history h ON h.tenant_id = b.tenant_id AND h.batch_id = b.id
        GROUP BY b.id, b.inserted, b.updated, b.quarantined
       HAVING count(*) FILTER (WHERE h.event = 'ADD') <> b.inserted
           OR count(*) FILTER (WHERE h.event IN ('UPDATE', 'MERGE', 'RESTORE', 'DELETE')) <> b.updated
           OR count(*) FILTER (WHERE h.event = 'QUARANTINE') <> b.quarantined`,
    ),
  'every extracted memory has a source whose quote is in the message': (query) =>
    query(
      `SELECT m.id FROM memories m WHERE m.origin = 'extraction' AND m.state = 'active' AND m.type <> 'insight' AND NOT EXISTS (
         SELECT 1 FROM memory_sources s JOIN messages g ON g.tenant_id = s.tenant_id AND g.id = s.message_id
          WHERE s.tenant_id = m.tenant_id AND s.memory_id = m.id AND strpos(g.content, s.quote) > 0)`,
    ),
  'every current memory has one vector and index terms': (query) =>
    query(
      `SELECT m.id FROM memories m WHERE ${CURRENT} AND (
         (SELECT count(*) FROM memory_embeddings e WHERE e.tenant_id = m.tenant_id AND e.memory_id = m.id) <> 1
         OR NOT EXISTS (SELECT 1 FROM lexical_units u WHERE u.tenant_id = m.tenant_id AND u.memory_id = m.id))`,
    ),
  'every turn of a batch that is done is in the index': (query) =>
    query(
      `SELECT g.id FROM messages g JOIN batches b ON b.tenant_id = g.tenant_id AND b.id = g.batch_id AND b.state = 'done'
        WHERE g.role IN ('user', 'assistant') AND NOT EXISTS (
          SELECT 1 FROM lexical_units u WHERE u.tenant_id = g.tenant_id AND u.message_id = g.id)`,
    ),
  'every new memory is in the change log of its threads': (query) =>
    query(
      `SELECT s.memory_id, s.thread_id FROM memory_sources s JOIN memories m
           ON m.tenant_id = s.tenant_id AND m.id = s.memory_id AND m.state = 'active'
        WHERE NOT EXISTS (SELECT 1 FROM change_log c WHERE c.tenant_id = s.tenant_id AND c.memory_id = s.memory_id)`,
    ),
  'every audit chain verifies': findBrokenChains,
};

async function findWrongContents(query: AdminQuery, { contents }: Expectations): Promise<unknown[]> {
  const rows = await query<{ user_id: string; content: string }>(
    `SELECT user_id, content FROM memories WHERE ${CURRENT} AND user_id = ANY ($1)`,
    [[...contents.keys()]],
  );
  const found = new Set(rows.map((row) => `${row.user_id}: ${row.content}`));
  const expected = new Set([...contents].flatMap(([user, all]) => [...all].map((content) => `${user}: ${content}`)));
  return [
    ...[...expected].filter((content) => !found.has(content)).map((missing) => ({ missing })),
    ...[...found].filter((content) => !expected.has(content)).map((unexpected) => ({ unexpected })),
  ];
}

async function findBrokenChains(query: AdminQuery): Promise<unknown[]> {
  const tenants = await query<{ tenant_id: string }>('SELECT tenant_id FROM tenants');
  const database: Parameters<typeof verifyHistory>[0] = {
    readTenant: (tenantId, work) => asTenant(query, tenantId, work),
  };
  const broken: AuditFinding[] = [];
  for (const { tenant_id: tenantId } of tenants) {
    await verifyHistory(database, { tenantId, report: (finding) => broken.push(finding), chainKey: null });
  }
  return broken;
}
