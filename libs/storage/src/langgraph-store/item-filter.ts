/** How the operand of a condition is compared with what an item holds (docs/reference/langgraph-store.md#filters). */
export const FILTER_OPERATORS = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$exists'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** One condition on a field of the value. */
export interface ItemCondition {
  /** Names of the field from the top, as they were given: a name may contain periods. */
  readonly names: readonly string[];
  /** The same, divided at periods, for when no field has the names as given. */
  readonly steps: readonly string[];
  readonly operator: FilterOperator;
  /** Any JSON value; a list for `$in` and `$nin`, a boolean for `$exists`. */
  readonly operand: unknown;
}

/** SQL of a CTE with the conditions, bound as JSON: names and operators are data, never a part of a statement. */
export const conditionsSql = (conditions: string) => `
  conditions AS MATERIALIZED (
    SELECT c.names, c.steps, c.operator, coalesce(c.operand, 'null') AS operand
      FROM jsonb_to_recordset(${conditions}::jsonb) AS c (names text[], steps text[], operator text, operand jsonb))`;

// Texts by their characters: jsonb would compare them by the language of the database.
const compareSql = (operator: string) => `coalesce(
  jsonb_typeof(h.held) = jsonb_typeof(c.operand)
    AND CASE jsonb_typeof(h.held)
          WHEN 'string' THEN (h.held #>> '{}') COLLATE "C" ${operator} (c.operand #>> '{}')
          ELSE h.held ${operator} c.operand END, false)`;
const LISTED = 'SELECT FROM jsonb_array_elements(c.operand) e (listed) WHERE e.listed = h.held';

/** SQL: the value of the row `i` fulfils all of them. A field that is missing equals nothing. */
export const FULFILS_CONDITIONS_SQL = `NOT EXISTS (
  SELECT FROM conditions c
   CROSS JOIN LATERAL (SELECT coalesce(i.value #> c.names, i.value #> c.steps) AS held) h
   WHERE NOT CASE c.operator
     WHEN '$eq' THEN coalesce(h.held = c.operand, false)
     WHEN '$ne' THEN h.held IS DISTINCT FROM c.operand
     WHEN '$gt' THEN ${compareSql('>')}
     WHEN '$gte' THEN ${compareSql('>=')}
     WHEN '$lt' THEN ${compareSql('<')}
     WHEN '$lte' THEN ${compareSql('<=')}
     WHEN '$in' THEN EXISTS (${LISTED})
     WHEN '$nin' THEN NOT EXISTS (${LISTED})
     WHEN '$exists' THEN (h.held IS NOT NULL) = c.operand::boolean
   END)`;
