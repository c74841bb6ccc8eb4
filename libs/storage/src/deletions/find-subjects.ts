import { isPseudonym, SINGLE_FIELDS } from '@annals/domain';
import { readByCursor } from '../database/read-by-cursor.js';
import type { Tx } from '../database/transaction.js';
import type { ContextFieldsJson } from '../entities/user-context.entity.js';
import { PLACE_TEXT_SQL } from '../langgraph-store/item-place.js';
import type { DeletionKind } from './deletion-kinds.js';
import { keyedSubject } from './note-deletion.js';

const PAGE_ROWS = 2_000;

/** Columns `a` and `b` of all that entries of a kind may be about, as the caller named it; and what was stored there. */
const SOURCES = {
  // Who is in no row of users may have been asked about, or be named by a key.
  user: `SELECT user_id AS a, '' AS b FROM users UNION SELECT user_id, '' FROM events
         UNION SELECT user_id, '' FROM api_keys UNION SELECT user_id, '' FROM idempotency_keys
         UNION SELECT user_id, '' FROM usage UNION SELECT user_id, '' FROM reservations`,
  checkpoint: 'SELECT user_id AS a, thread_id AS b FROM checkpoints',
  langgraph_thread: `SELECT thread_id AS a, '' AS b FROM langgraph_threads`,
  langgraph_item: `SELECT i.user_id AS a, ${PLACE_TEXT_SQL} AS b FROM langgraph_items i`,
  app: `SELECT app_id AS a, '' AS b FROM apps`,
  app_memories: `SELECT app_id AS a, '' AS b FROM app_memories UNION SELECT app_id, '' FROM conversations`,
  app_memories_of_user:
    'SELECT app_id AS a, user_id AS b FROM conversations UNION SELECT app_id, user_id FROM app_memories',
  context: `SELECT user_id AS a, '' AS b FROM user_contexts`,
} as const;

/** What an entry is about, as the caller named it. */
export type FoundSubject = readonly string[];

/**
 * Which of the entries' subjects the tenant has, by subject: the ids of the caller behind each. Goes once through what
 * the kind may be about, page by page.
 */
export async function findSubjects(
  tx: Tx,
  kind: DeletionKind,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, FoundSubject[]>> {
  const found = new Map<string, FoundSubject[]>();
  const match = (subject: string, ids: FoundSubject) => {
    if (wanted.has(subject)) found.set(subject, [...(found.get(subject) ?? []), ids]);
  };
  if (kind === 'context_field' || kind === 'context_goal' || kind === 'insights_off') {
    await eachPair(tx, SOURCES.context, async (rows) =>
      matchContexts(
        tx,
        kind,
        rows.map(([user]) => user),
        match,
      ),
    );
    return found;
  }
  if (kind === 'user') {
    await eachPair(tx, SOURCES.user, async (rows) => {
      for (const [user] of rows) if (!isPseudonym(user)) match(tx.pseudonymOf(user), [user]);
    });
    // Whose history was begun with another key is known by what it records.
    const recorded = await tx.query<{ user_id: string; pseudonym: string }>(
      'SELECT user_id, pseudonym FROM users WHERE pseudonym = ANY ($1) AND user_id <> pseudonym',
      [[...wanted]],
    );
    for (const row of recorded) if (!found.has(row.pseudonym)) match(row.pseudonym, [row.user_id]);
    return found;
  }
  const source = SOURCES[kind as Exclude<keyof typeof SOURCES, 'user' | 'context'>];
  await eachPair(tx, source, async (rows) => {
    for (const [a, b] of rows) {
      const ids = b === '' ? [a] : [a, b];
      match(keyedSubject(tx, kind, ids), ids);
    }
  });
  return found;
}

async function matchContexts(
  tx: Tx,
  kind: DeletionKind,
  users: readonly string[],
  match: (subject: string, ids: FoundSubject) => void,
): Promise<void> {
  const rows = await tx.query<{ user_id: string; fields: ContextFieldsJson }>(
    'SELECT user_id, fields FROM user_contexts WHERE user_id = ANY ($1)',
    [users],
  );
  for (const { user_id: user, fields } of rows) {
    const parts =
      kind === 'context_field'
        ? [...SINGLE_FIELDS]
        : kind === 'context_goal'
          ? (fields.goals ?? []).flatMap(({ value }) => (value === null ? [] : [value]))
          : null;
    if (parts === null) match(keyedSubject(tx, kind, [user]), [user]);
    else for (const part of parts) match(keyedSubject(tx, kind, [user, part]), [user, part]);
  }
}

async function eachPair(
  tx: Tx,
  source: string,
  work: (rows: readonly (readonly [a: string, b: string])[]) => Promise<void>,
): Promise<void> {
  const query = {
    name: 'subjects',
    sql: `SELECT s.a, s.b FROM (${source}) s WHERE s.a IS NOT NULL`,
    pageRows: PAGE_ROWS,
  };
  for await (const rows of readByCursor<{ a: string; b: string }>(tx, query)) {
    await work(rows.map(({ a, b }) => [a, b] as const));
  }
}
