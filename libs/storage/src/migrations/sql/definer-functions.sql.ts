/** A way across tenants: its name with parameters, and what comes behind that in CREATE FUNCTION. */
export interface DefinerFunction {
  readonly signature: string;
  readonly body: string;
}

/**
 * For statements that touch a few rows of a long queue. The planner cannot know how few (it expects a tenth of the queue
 * from a LIMIT that is a parameter) and would read all of it to join them: it is left nested loops over indexes.
 */
export const FEW_OF_MANY_ROWS =
  'SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off';

/** Its name with the schema. */
export function qualifiedName({ signature }: DefinerFunction): string {
  return `annals.${signature.slice(0, signature.indexOf('('))}`;
}

/** Drops functions that are created anew. */
export function dropFunctions(functions: readonly DefinerFunction[]): string {
  return functions.map((each) => `DROP FUNCTION ${qualifiedName(each)}`).join(';\n');
}

/** The order of deletion with further tables: behind `work`, whose rows are claimed by who writes the others. */
export function deletedBehindWork(tables: readonly string[], before: readonly string[]): string[] {
  return ['work', ...tables, ...before.filter((table) => table !== 'work')];
}

/** Makes functions run as annals_definer with a fixed search_path, for services only. */
export function createFunctions(functions: readonly DefinerFunction[]): string {
  return [
    'GRANT CREATE ON SCHEMA annals TO annals_definer',
    ...functions.flatMap((each) => {
      const name = qualifiedName(each);
      return [
        `CREATE FUNCTION annals.${each.signature} ${each.body.trim()} SECURITY DEFINER SET search_path = pg_catalog, pg_temp`,
        `ALTER FUNCTION ${name} OWNER TO annals_definer`,
        `REVOKE ALL ON FUNCTION ${name} FROM PUBLIC`,
        `GRANT EXECUTE ON FUNCTION ${name} TO annals_app`,
      ];
    }),
    'REVOKE CREATE ON SCHEMA annals FROM annals_definer',
  ].join(';\n');
}

/**
 * Deletes everything of one tenant, table by table in the order given: children before parents. `first` and `last` are
 * statements to run before and behind that, with the tenant locked; `variables` is what they keep.
 */
export function deleteTenantFunction(
  order: readonly string[],
  { variables = '', first = '', last = '' }: { variables?: string; first?: string; last?: string } = {},
): DefinerFunction {
  return {
    signature: 'delete_tenant(doomed uuid)',
    body: /* sql */ `
      RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        part text;
        deleted bigint;
        receipt jsonb := '{}';${variables}
      BEGIN
        PERFORM 1 FROM annals.tenants t WHERE t.tenant_id = doomed FOR UPDATE;
        IF NOT FOUND THEN RETURN NULL; END IF;
        -- Waits for whoever writes and keeps out whoever begins, in the order in which they lock. Otherwise what is
        -- committed after its table was emptied would outlive its tenant, or fail the whole by a foreign key.
        PERFORM 1 FROM annals.users u WHERE u.tenant_id = doomed FOR UPDATE;
        PERFORM 1 FROM annals.conversations c WHERE c.tenant_id = doomed FOR UPDATE;
        PERFORM 1 FROM annals.batches b WHERE b.tenant_id = doomed AND b.state <> 'done' FOR UPDATE;${first}
        FOREACH part IN ARRAY ARRAY[${order.map((table) => `'${table}'`).join(', ')}] LOOP
          EXECUTE format('DELETE FROM annals.%I WHERE tenant_id = $1', part) USING doomed;
          GET DIAGNOSTICS deleted = ROW_COUNT;
          receipt := receipt || jsonb_build_object(part, deleted);
        END LOOP;${last}
        RETURN receipt;
      END $$`,
  };
}
