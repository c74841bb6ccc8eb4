import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { dataSourceOptions } from '../database/connection.js';
import * as entities from '../entities/index.js';

const LEDGER = 'schema_migrations';
const SESSION_TENANT = `(NULLIF(current_setting('annals.tenant'::text, true), ''::text))::uuid`;

const ENTITY_FILES = join(import.meta.dirname, '../entities');
// A collation can only be given beside the type.
const COLUMN = /Column\((?:\{ type: )?'([^']+)'([^)]*)\)\s+(\w+): ([^;]+);/g;

/** A value of each column type as SQL; a date is selected as text. A vector is only read by functions. */
const VALUES: Readonly<Record<string, string>> = {
  bigint: '1::bigint',
  boolean: 'true',
  bytea: "'\\x00'::bytea",
  date: "'2026-01-05'::date::text",
  'double precision': '1::double precision',
  integer: '1',
  real: '1::real',
  smallint: '1::smallint',
  text: "'a'",
  timestamptz: 'now()',
  uuid: 'gen_random_uuid()',
};

function typeNameOf(value: unknown): string {
  if (Buffer.isBuffer(value)) return 'Buffer';
  return value instanceof Date ? 'Date' : typeof value;
}

describe('entities and migrations', () => {
  let fixture: StorageFixture;
  let source: DataSource;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    source = new DataSource({ ...dataSourceOptions(fixture.testDatabase.admin), entities });
    await source.initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await fixture.close();
  });

  it('take the tenant from the session in every table of a tenant', async () => {
    const rows = await fixture.queryAsSuperuser<{ table_name: string; column_default: string | null }>(
      `SELECT table_name, column_default FROM information_schema.columns
        WHERE table_schema = 'annals' AND column_name = 'tenant_id' AND table_name <> 'tenants'
          AND table_name IN (SELECT tablename FROM pg_tables WHERE schemaname = 'annals')`,
    );
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((row) => row.column_default !== SESSION_TENANT)).toEqual([]);
  });

  // TypeORM compares the lower-cased text of a default, and PostgreSQL prints NULLIF: the default that it cannot be
  // told is looked at above and taken away here, and so is that of users.subject_id, which it takes for one of its own. It does not look at STORAGE, INCLUDE and the text of a CHECK.
  it('describe the same tables, columns, keys and defaults', async () => {
    await fixture.queryAsSuperuser(`DO $$
      DECLARE part text;
      BEGIN
        FOR part IN SELECT table_name FROM information_schema.columns
                     WHERE table_schema = 'annals' AND column_name = 'tenant_id' LOOP
          EXECUTE format('ALTER TABLE annals.%I ALTER tenant_id DROP DEFAULT', part);
        END LOOP;
        ALTER TABLE annals.users ALTER subject_id DROP DEFAULT;
      END $$`);
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    expect(upQueries.map((query) => query.query)).toEqual([]);
  });

  // TypeORM says nothing of a table without entity, nor of a raw index that is declared but does not exist.
  it('name the same tables', async () => {
    const rows = await fixture.queryAsSuperuser<{ tablename: string }>(
      `SELECT tablename FROM pg_tables WHERE schemaname = 'annals'`,
    );
    const declared = source.entityMetadatas.map((metadata) => metadata.tableName);
    expect(rows.map((row) => row.tablename).toSorted()).toEqual([...declared, LEDGER].toSorted());
  });

  it('name the same indexes', async () => {
    const rows = await fixture.queryAsSuperuser<{ name: string }>(
      `SELECT i.indexrelid::regclass::text AS name FROM pg_index i
         JOIN pg_class c ON c.oid = i.indrelid
        WHERE c.relnamespace = 'annals'::regnamespace
          AND NOT EXISTS (SELECT 1 FROM pg_constraint p WHERE p.conindid = i.indexrelid AND p.contype IN ('p', 'u'))`,
    );
    const declared = source.entityMetadatas.flatMap((metadata) => metadata.indices.map((index) => index.name));
    expect(rows.map((row) => row.name).toSorted()).toEqual(declared.toSorted());
  });

  it('name the same columns as part of each primary key, in the same order', async () => {
    const rows = await fixture.queryAsSuperuser<{ table: string; columns: string[] }>(
      `SELECT p.conrelid::regclass::text AS table,
              array_agg(a.attname::text ORDER BY k.place) AS columns
         FROM pg_constraint p, unnest(p.conkey) WITH ORDINALITY AS k (attnum, place)
         JOIN pg_attribute a ON a.attnum = k.attnum
        WHERE p.contype = 'p' AND p.connamespace = 'annals'::regnamespace AND a.attrelid = p.conrelid
          AND p.conrelid <> 'annals.${LEDGER}'::regclass
        GROUP BY 1`,
    );
    const real = Object.fromEntries(rows.map((row) => [row.table, row.columns]));
    const declared = source.entityMetadatas.map((metadata) => [
      metadata.tableName,
      metadata.primaryColumns.map((column) => column.databaseName),
    ]);
    expect(real).toEqual(Object.fromEntries(declared));
  });

  it('allow the same words in each column that has a list of them', async () => {
    const rows = await fixture.queryAsSuperuser<{ name: string; definition: string }>(
      `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
        WHERE contype = 'c' AND connamespace = 'annals'::regnamespace`,
    );
    const wordsIn = (text: string): string[] => text.match(/'[^']*'|\d+/g) ?? [];
    const real = rows.map((row) => [row.name, wordsIn(row.definition)]);
    const declared = source.entityMetadatas.flatMap((metadata) =>
      metadata.checks.map((check) => [check.name, wordsIn(check.expression)]),
    );
    expect(Object.fromEntries(real)).toEqual(Object.fromEntries(declared));
  });

  // The rows of statements are typed from the entities, and the compiler knows nothing of the columns' types.
  it('give each property the type that the driver returns', async () => {
    const names = Object.keys(VALUES);
    const [row] = await fixture.queryAsSuperuser<Record<string, unknown>>(
      `SELECT ${names.map((name) => `${VALUES[name]} AS "${name}"`).join(', ')}`,
    );
    const files = await readdir(ENTITY_FILES);
    const sources = await Promise.all(files.map((file) => readFile(join(ENTITY_FILES, file), 'utf8')));
    const columns = sources.flatMap((text) => [...text.matchAll(COLUMN)]);
    const typed = columns.filter(([, type]) => names.includes(type!));
    const found = typed.map(([, type, options, name, property]) => {
      const [element, ...rest] = property!.split(' | ').filter((part) => part !== 'null');
      const isPlain = /^(string|number|boolean|Date|Buffer)/.test(element!) && rest.length === 0;
      // Lists of words and types with a name stand for text.
      return [name, type, isPlain ? element : 'string', property!.includes('| null'), options!.includes('array: true')];
    });
    expect(found).toEqual(
      typed.map(([, type, options, name]) => {
        const isArray = options!.includes('array: true');
        const element = typeNameOf(row![type!]);
        return [name, type, isArray ? `${element}[]` : element, options!.includes('nullable: true'), isArray];
      }),
    );
    const declared = source.entityMetadatas.flatMap((metadata) => metadata.columns);
    expect(columns.length).toBe(declared.filter(({ propertyName }) => propertyName !== 'tenant_id').length + 1);
  });
});
