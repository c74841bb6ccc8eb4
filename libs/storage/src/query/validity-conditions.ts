import type { RecallSearch } from './recall-search.js';

type Bind = (value: unknown) => string;
type Times = Pick<RecallSearch, 'asOf' | 'knownAt' | 'now'>;

/**
 * SQL of whether a memory held at `as_of`, as far as that was known at `known_at`
 * (docs/reference/truth-and-time.md#as_of-and-known_at); without either, whether it holds now. A memory that ends in
 * the future holds until then, even if its successor is known. `m` is the alias of `memories`.
 */
export function isValidSql(m: string, { asOf, knownAt, now }: Times, bind: Bind): string {
  if (knownAt !== null) return isValidAsKnownSql(m, asOf, bind(knownAt), bind);
  if (asOf !== null) {
    const at = `${bind(asOf)}::timestamptz`;
    return `${m}.valid_from <= ${at} AND NOT coalesce(${m}.valid_to <= ${at}, false)`;
  }
  return `(${m}.valid_to IS NULL OR ${m}.valid_to > ${bind(new Date(now))}::timestamptz)`;
}

function isValidAsKnownSql(m: string, asOf: string | null, known: string, bind: Bind): string {
  const knownAt = `${known}::timestamptz`;
  const isEndKnown = `coalesce(${m}.closed_at <= ${knownAt}, false)`;
  // The end that was recorded before the row's current end.
  const formerEnd = `(SELECT to_timestamp((f.belief ->> 'validTo')::float8 / 1000)
      FROM jsonb_array_elements(${m}.former_ends) AS f (belief)
     WHERE to_timestamp((f.belief ->> 'since')::float8 / 1000) <= ${knownAt}
     ORDER BY (f.belief ->> 'since')::float8 DESC LIMIT 1)`;
  const end = `CASE WHEN ${isEndKnown} THEN ${m}.valid_to WHEN ${m}.former_ends IS NOT NULL THEN ${formerEnd} END`;
  const isRecorded = `${m}.recorded_at <= ${knownAt}`;
  if (asOf !== null) {
    const at = `${bind(asOf)}::timestamptz`;
    return `${isRecorded} AND ${m}.valid_from <= ${at} AND NOT coalesce(${end} <= ${at}, false)`;
  }
  return `${isRecorded} AND NOT coalesce(${end} <= ${knownAt}, false)`;
}
