import {
  type AdminQuery,
  findBrokenInvariants,
  findTablesContaining,
  type PrivateServersSystem,
  runAnnals,
} from '@annals/testing';
import { type Book, ERASED_USER, ERASED_WORD } from '../load/book.ts';

/** Rules of the whole database that do not hold. Work of minds that is due another day may be left. */
export async function findBrokenRules(query: AdminQuery, book: Book): Promise<string[]> {
  const { 'no work is left in the outbox': _waiting, ...broken } = await findBrokenInvariants(query, {
    batchIds: [...new Set(book.batchIds)],
    // Contents are compared mark by mark, through the API.
    contents: new Map(),
  });
  const left = await query<{ kind: string }>(
    `SELECT kind, subject_id FROM work WHERE kind IN ('extraction', 'persistence', 'vectors') OR failed_at IS NOT NULL`,
  );
  return [
    ...Object.entries(broken).map(([rule, offenders]) => `${rule}: ${JSON.stringify(offenders)}`),
    ...left.map((row) => `work is left: ${JSON.stringify(row)}`),
  ];
}

/** Batches that are not done. A failed one names its cause. */
export async function findUnfinished(query: AdminQuery): Promise<string[]> {
  const rows = await query<{ id: string; state: string; error_code: string | null }>(
    `SELECT id, state, error_code FROM batches WHERE state <> 'done'`,
  );
  return rows.map(({ id, state, error_code }) => `batch ${id} is ${state} (${error_code ?? 'no cause'})`);
}

/** Messages that are stored twice under one id of their sender. */
export async function findDoubledMessages(query: AdminQuery): Promise<string[]> {
  const rows = await query<{ content: string; n: number }>(
    `SELECT tenant_id, conversation_id, external_id, count(*)::int AS n FROM messages
      WHERE external_id IS NOT NULL GROUP BY 1, 2, 3 HAVING count(*) > 1`,
  );
  return rows.map((row) => `a message is stored ${row.n} times: ${JSON.stringify(row)}`);
}

/** Where words of erased people are left: tables, queues, logs. */
export async function findErasedWords(query: AdminQuery, system: PrivateServersSystem): Promise<string[]> {
  const tables = await findTablesContaining(query, ERASED_WORD);
  const queues = (await system.dumpQueues()).includes(ERASED_WORD) ? ['a queue'] : [];
  const logs = system.logs.includes(ERASED_WORD) ? ['a log'] : [];
  return [...tables.map((name) => `table ${name}`), ...queues, ...logs];
}

/** What is left in tables of webhooks of people whose erasure was told. */
export async function findErasedIds(query: AdminQuery): Promise<string[]> {
  const rows = await query<{ owner: string }>(
    `SELECT owner FROM webhook_feeds WHERE owner LIKE $1 UNION SELECT owner FROM webhook_deliveries WHERE owner LIKE $1`,
    [`${ERASED_USER}%`],
  );
  return rows.map(({ owner }) => `tables of webhooks name ${owner}`);
}

/** Runs `annals verify`, as an operator does; returns what it says when it is not content. */
export async function verify(env: Readonly<Record<string, string>>): Promise<string[]> {
  const { code, output } = await runAnnals(['verify'], env);
  return code === 0 ? [] : [`annals verify ended with ${code}: ${output}`];
}
