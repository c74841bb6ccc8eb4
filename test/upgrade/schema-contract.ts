import type { AdminQuery } from '@annals/testing';

interface Column {
  readonly type: string;
  readonly notNull: boolean;
  /** Rows may be inserted without naming it. */
  readonly optional: boolean;
}

interface Table {
  readonly columns: Readonly<Record<string, Column>>;
  /** Definition by name, with the columns that it is about. */
  readonly constraints: Readonly<Record<string, { readonly definition: string; readonly columns: readonly string[] }>>;
  /** Unique indexes by their columns and condition, as ON CONFLICT names them. */
  readonly unique: readonly string[];
  /** Of the role of the services: `SELECT`, `UPDATE(column)`. */
  readonly privileges: readonly string[];
}

/** What the processes of a release rely on in the schema. */
export interface SchemaContract {
  readonly tables: Readonly<Record<string, Table>>;
  /** Result by signature. */
  readonly functions: Readonly<Record<string, string>>;
}

/** Reads it from a migrated database. */
export async function readSchemaContract(query: AdminQuery): Promise<SchemaContract> {
  const [{ contract } = { contract: null }] = await query<{ contract: SchemaContract | null }>(CONTRACT_SQL);
  if (contract === null) throw new Error('The database has no schema "annals".');
  return contract;
}

/** Names are without their schema, whatever the search path of the connection is. */
const CONTRACT_SQL = `
  SELECT jsonb_build_object(
    'tables', (
      SELECT jsonb_object_agg(c.relname, jsonb_build_object(
        'columns', (
          SELECT jsonb_object_agg(a.attname, jsonb_build_object(
                   'type', format_type(a.atttypid, a.atttypmod), 'notNull', a.attnotnull,
                   'optional', a.atthasdef OR a.attidentity <> '' OR NOT a.attnotnull))
            FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
        'constraints', (
          SELECT coalesce(jsonb_object_agg(p.conname, jsonb_build_object(
                   'definition', replace(replace(pg_get_constraintdef(p.oid), ' NOT VALID', ''), 'annals.', ''),
                   'columns', (SELECT jsonb_agg(a.attname ORDER BY a.attname) FROM pg_attribute a
                                WHERE a.attrelid = c.oid AND a.attnum = ANY (p.conkey)))), '{}')
            FROM pg_constraint p WHERE p.conrelid = c.oid AND p.contype IN ('c', 'f', 'x')),
        'unique', (
          SELECT coalesce(jsonb_agg(substring(pg_get_indexdef(i.indexrelid) FROM 'USING .*$') ORDER BY 1), '[]')
            FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique),
        'privileges', (
          SELECT coalesce(jsonb_agg(g.privilege ORDER BY g.privilege), '[]') FROM (
            SELECT k.privilege_type AS privilege FROM aclexplode(c.relacl) k WHERE k.grantee = 'annals_app'::regrole
            UNION
            SELECT k.privilege_type || '(' || a.attname || ')' FROM pg_attribute a, aclexplode(a.attacl) k
             WHERE a.attrelid = c.oid AND k.grantee = 'annals_app'::regrole) g)))
        FROM pg_class c WHERE c.relnamespace = 'annals'::regnamespace AND c.relkind IN ('r', 'p', 'v')
         AND c.relname <> 'schema_migrations'),
    'functions', (
      SELECT jsonb_object_agg(p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',
                              pg_get_function_result(p.oid))
        FROM pg_proc p WHERE p.pronamespace = 'annals'::regnamespace AND p.prorettype <> 'trigger'::regtype)) AS contract`;

/**
 * What the processes of the release before rely on and the new schema does not keep, as sentences that begin with the name
 * of the thing: `table outbox …`. Empty when the migrations only expand (docs/backup.md#rolling-upgrade).
 */
export function findBrokenPromises(before: SchemaContract, after: SchemaContract): string[] {
  const functions = Object.entries(before.functions).flatMap(([signature, result]) => {
    const now = after.functions[signature];
    if (now === undefined) return [`function ${signature} is gone`];
    return now === result ? [] : [`function ${signature} returns ${now} instead of ${result}`];
  });
  const tables = Object.entries(before.tables).flatMap(([name, table]) => {
    const now = after.tables[name];
    return now === undefined ? [`table ${name} is gone`] : compareTables(name, table, now);
  });
  return [...tables, ...functions];
}

function compareTables(name: string, before: Table, after: Table): string[] {
  const isNew = (column: string) => before.columns[column] === undefined;
  return [
    ...Object.entries(before.columns).flatMap(([column, was]) =>
      compareColumns(`column ${name}.${column}`, was, after.columns[column]),
    ),
    ...Object.entries(after.columns).flatMap(([column, { optional }]) =>
      isNew(column) && !optional ? [`column ${name}.${column} is new, and rows cannot be inserted without it`] : [],
    ),
    ...Object.entries(after.constraints).flatMap(([constraint, { definition, columns }]) =>
      (columns ?? []).every(isNew) && columns !== null
        ? []
        : compareConstraints(
            `constraint ${name}.${constraint}`,
            before.constraints[constraint]?.definition,
            definition,
          ),
    ),
    ...before.unique
      .filter((index) => !after.unique.includes(index))
      .map((index) => `index of ${name} ${index} is gone`),
    ...after.unique
      .filter((index) => !before.unique.includes(index) && !columnsOf(index).some(isNew))
      .map((index) => `index of ${name} ${index} is new, and rows of the release before may violate it`),
    ...before.privileges
      .filter(
        (privilege) => !after.privileges.includes(privilege) && !after.privileges.includes(withoutColumn(privilege)),
      )
      .map((privilege) => `privilege ${privilege} on ${name} is gone`),
  ];
}

function compareColumns(title: string, before: Column, after: Column | undefined): string[] {
  if (after === undefined) return [`${title} is gone`];
  return [
    ...(after.type === before.type ? [] : [`${title} is ${after.type} instead of ${before.type}`]),
    ...(after.notNull && !before.notNull ? [`${title} must not be null any more`] : []),
    ...(before.optional && !after.optional ? [`${title} has no default any more`] : []),
  ];
}

/** A list of words may grow. */
function compareConstraints(title: string, before: string | undefined, after: string): string[] {
  if (before === after) return [];
  if (before === undefined) return [`${title} is new, and rows of the release before may violate it`];
  const [was, is] = [wordsOf(before), wordsOf(after)];
  const isWider = was.rest === is.rest && was.words.every((word) => is.words.includes(word));
  return isWider ? [] : [`${title} is ${after} instead of ${before}`];
}

function wordsOf(definition: string): { words: string[]; rest: string } {
  const words = definition.match(/'[^']*'::\w+/g) ?? [];
  return { words, rest: definition.replaceAll(/('[^']*'::\w+(, )?)+/g, '…') };
}

function columnsOf(index: string): string[] {
  return (/\(([^)]*)\)/.exec(index)?.[1] ?? '').split(', ');
}

function withoutColumn(privilege: string): string {
  return privilege.replace(/\(.*\)$/, '');
}
