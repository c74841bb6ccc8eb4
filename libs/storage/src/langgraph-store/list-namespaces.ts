import type { Tx } from '../database/transaction.js';
import { rangeOf } from './item-place.js';
import { isLiveSql, type ReadScope } from './item-rows.js';

/** Labels with which a namespace begins or ends; `*` stands for any label. */
export interface NamespaceMatch {
  readonly end: 'prefix' | 'suffix';
  readonly labels: readonly string[];
}

export interface NamespaceList {
  /** All of them must match. */
  readonly matches: readonly NamespaceMatch[];
  /** How many labels of each are returned; null: all. */
  readonly maxDepth: number | null;
  readonly limit: number;
  readonly offset: number;
}

// A label at place n of a suffix of m labels is compared with the one at the end of the namespace minus m, plus n.
const LIST_SQL = `
  WITH matches AS MATERIALIZED (
    SELECT m."end" = 'suffix' AS is_suffix, m.labels
      FROM jsonb_to_recordset($3::jsonb) AS m ("end" text, labels text[]))
  SELECT DISTINCT (i.namespace[1:coalesce($4::integer, cardinality(i.namespace))]) COLLATE "C" AS namespace
    FROM langgraph_items i
   WHERE i.user_id = $1 AND ${isLiveSql('$2')} AND i.path >= $7 AND ($8::text IS NULL OR i.path < $8)
     AND NOT EXISTS (
       SELECT FROM matches m
        WHERE cardinality(m.labels) > cardinality(i.namespace)
           OR EXISTS (
             SELECT FROM unnest(m.labels) WITH ORDINALITY AS l (label, place)
              WHERE l.label <> '*'
                AND l.label <> i.namespace[l.place + CASE WHEN m.is_suffix
                                                          THEN cardinality(i.namespace) - cardinality(m.labels)
                                                          ELSE 0 END]))
   ORDER BY 1 LIMIT $5 OFFSET $6`;

/** Namespaces that have items, in the order of their labels. One statement. */
export async function listNamespaces(
  tx: Tx,
  { userId, now }: Pick<ReadScope, 'userId' | 'now'>,
  { matches, maxDepth, limit, offset }: NamespaceList,
): Promise<string[][]> {
  const range = rangeOf(findCommonPrefix(matches));
  const rows = await tx.query<{ namespace: string[] }>(LIST_SQL, [
    userId,
    new Date(now),
    JSON.stringify(matches),
    maxDepth,
    limit,
    offset,
    range?.from ?? '',
    range?.to ?? null,
  ]);
  return rows.map(({ namespace }) => namespace);
}

/** The labels with which all that match begin: an index finds them, and the rest is not read. */
function findCommonPrefix(matches: readonly NamespaceMatch[]): readonly string[] {
  const prefixes = matches
    .filter(({ end }) => end === 'prefix')
    .map(({ labels }) => labels.slice(0, labels.includes('*') ? labels.indexOf('*') : labels.length));
  return prefixes.reduce((longest, prefix) => (prefix.length > longest.length ? prefix : longest), []);
}
