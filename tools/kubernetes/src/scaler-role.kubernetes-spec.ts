import { readFileSync } from 'node:fs';
import path from 'node:path';
import { WORK_KINDS } from '@annals/contracts';
import { createTestDatabase, createTestPool, type TestDatabase } from '@annals/testing';
import { ofKind } from './objects.fixture.ts';
import { renderings } from './render.fixture.ts';

const docs = readFileSync(path.resolve(import.meta.dirname, '../../../docs/kubernetes.md'), 'utf8');
const queries = ofKind(renderings('keda-postgresql')['keda-postgresql'], 'ScaledObject').flatMap(({ metadata, spec }) =>
  (spec.triggers as { name: string; metadata: { query: string } }[]).map(({ name, metadata: { query } }) => ({
    title: `${metadata.name} ${name}`,
    query,
    isAge: name.startsWith('oldest-due'),
    kinds: /ARRAY\[(.+?)\]/
      .exec(query)![1]!
      .split(', ')
      .map((kind) => kind.slice(1, -1)),
  })),
);
const PASSWORD = 'scaler-in-tests';

describe('the role of the scaler', () => {
  let database: TestDatabase;
  let admin: ReturnType<typeof createTestPool>;
  let scaler: ReturnType<typeof createTestPool>;
  let role: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    admin = createTestPool({ connectionString: database.admin.url, max: 1 });
    // Roles belong to the server, which specs share.
    role = `scaler_${database.name}`;
    const [, statements] = /```sql\n(CREATE ROLE annals_scaler[\s\S]+?)```/.exec(docs)!;
    await admin.query(statements!.replaceAll('annals_scaler', role).replace('…', PASSWORD));
    const url = new URL(database.admin.url);
    [url.username, url.password] = [role, PASSWORD];
    scaler = createTestPool({ connectionString: url.href, max: 1 });
    await addWork();
  });
  afterAll(async () => {
    await scaler?.end();
    await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await admin.end();
    await database.drop();
  });

  /** Of the kind at place i (from 1): i rows, the oldest due for 100 · i s, and one that is not due. */
  async function addWork(): Promise<void> {
    await admin.query(
      `INSERT INTO annals.tenants (tenant_id, name, created_at) VALUES (gen_random_uuid(), 'scaled', now())`,
    );
    for (const [index, kind] of WORK_KINDS.entries()) {
      const place = index + 1;
      const ages = Array.from({ length: place }, (_, row) => 100 * (place - row));
      for (const seconds of [...ages, -3_600])
        await admin.query(
          `INSERT INTO annals.work (id, tenant_id, kind, subject_id, generation, available_at, rank_at, created_at)
           SELECT gen_random_uuid(), tenant_id, $1, gen_random_uuid(), 1, due.at, due.at, now()
             FROM annals.tenants, (SELECT now() - make_interval(secs => $2) AS at) due LIMIT 1`,
          [kind, seconds],
        );
    }
  }
  const placeOf = (kind: string) => (WORK_KINDS as readonly string[]).indexOf(kind) + 1;

  it.each(queries)('may ask $title, and gets one number that is what is due', async ({ query, isAge, kinds }) => {
    const { rows } = await scaler.query<Record<string, unknown>>(query);
    const [value, ...others] = Object.values(rows[0]!);
    expect([rows.length, others]).toEqual([1, []]);
    const places = kinds.map(placeOf);
    if (isAge) {
      expect(Number(value)).toBeGreaterThanOrEqual(100 * Math.max(...places));
      // Seconds, not ms.
      expect(Number(value)).toBeLessThan(86_400);
    } else expect(value).toBe(places.reduce((sum, place) => sum + place, 0));
  });

  it('may read no table, write nothing, and call no other function', async () => {
    const { rows } = await admin.query<{ table: string }>(
      `SELECT c.oid::regclass::text AS table FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'annals' AND c.relkind IN ('r', 'p', 'v')
          AND has_table_privilege($1, c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')`,
      [role],
    );
    expect(rows).toEqual([]);
    const functions = await admin.query<{ name: string }>(
      `SELECT p.proname AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname = 'annals' AND has_function_privilege($1, p.oid, 'EXECUTE')`,
      [role],
    );
    expect(functions.rows).toEqual([{ name: 'measure_work' }]);
    await expect(scaler.query('SELECT content FROM annals.messages')).rejects.toThrow('permission denied');
  });
});
