import { createTestDatabase, createTestPool, type TestDatabase } from '@annals/testing';
import type pg from 'pg';
import { readPreviousRelease, RETIRED } from './previous-release.js';
import { findBrokenPromises, readSchemaContract, type SchemaContract } from './schema-contract.js';

describe('the schema of this release', () => {
  let database: TestDatabase;
  let superuser: pg.Pool;
  let schema: SchemaContract;

  beforeAll(async () => {
    database = await createTestDatabase();
    superuser = createTestPool({ connectionString: database.admin.url, max: 1 });
    schema = await readSchemaContract(async <R extends object>(sql: string, parameters: readonly unknown[] = []) => {
      const { rows } = await superuser.query<R>(sql, [...parameters]);
      return rows;
    });
  });
  afterAll(async () => {
    await superuser.end();
    await database.drop();
  });

  it('keeps what the release before relies on, so that its processes can go on during an upgrade', () => {
    const broken = findBrokenPromises(readPreviousRelease().contract, schema);
    expect(broken.filter((sentence) => RETIRED[sentence] === undefined)).toEqual([]);
  });

  it('retires only what the release before has', () => {
    const broken = findBrokenPromises(readPreviousRelease().contract, schema);
    expect(Object.keys(RETIRED).filter((sentence) => !broken.includes(sentence))).toEqual([]);
  });

  it('was read as it is: what is taken away is noticed', () => {
    const { work: _, ...others } = schema.tables;
    expect(findBrokenPromises(schema, { ...schema, tables: others })).toEqual(['table work is gone']);
    expect(Object.keys(schema.tables).length).toBeGreaterThan(40);
    expect(Object.keys(schema.functions).length).toBeGreaterThan(30);
  });
});
