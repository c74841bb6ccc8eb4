import { ANALYZER_VERSION } from '@annals/domain';
import { Database } from '@annals/storage';
import { createEchoesJob } from './jobs/echoes-job.js';
import { MaintenanceFixture } from './maintenance.fixture.js';

/** Memories of the user who takes several pages. */
const MANY = 120;

describe('echoes job', () => {
  let fixture: MaintenanceFixture;
  let admin: Database;
  let large: string;
  let small: string;

  beforeAll(async () => {
    fixture = await MaintenanceFixture.open();
    admin = await Database.open({ ...fixture.testDatabase.admin, poolSize: 1 });
    large = await fixture.addTenant('large');
    small = await fixture.addTenant('small');
    await admin.inTenant(large, async (tx) => {
      await tx.execute('CREATE TABLE annals.pages (place serial, user_id text)');
      await tx.execute(
        `CREATE FUNCTION annals.note_page() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
         BEGIN
           IF new.user_id = 'broken' THEN RAISE EXCEPTION 'broken'; END IF;
           INSERT INTO annals.pages (user_id) VALUES (new.user_id);
           RETURN new;
         END $$`,
      );
      await tx.execute(
        'CREATE TRIGGER note_page BEFORE UPDATE ON annals.users FOR EACH ROW EXECUTE FUNCTION annals.note_page()',
      );
    });
    await addUsers(large, 'broken', 'first', 'second');
    await addUsers(small, 'third');
    await fixture.database.inTenant(large, (tx) =>
      tx.execute(
        `INSERT INTO memories (id, user_id, category, type, content, normalized_hash, hash_version, state, origin,
           importance, confidence, valid_from, recorded_at, updated_at, deleted_at, deleted_by, purge_at)
         SELECT gen_random_uuid(), 'first', 'profile', 'semantic', 'The user plays Game' || n || '.', n, '1',
                'soft_deleted', 'manual', 3, 0.8, $1, $1, $1, $1, 'user', $1
           FROM generate_series(1, ${MANY}) n`,
        [new Date(fixture.clock.now())],
      ),
    );
  });
  afterAll(async () => {
    await admin.close();
    await fixture.close();
  });

  const addUsers = (tenant: string, ...users: string[]) =>
    fixture.database.inTenant(tenant, (tx) =>
      tx.execute('INSERT INTO users (user_id, created_at, analyzer) SELECT unnest($1::text[]), $2, $3', [
        users,
        new Date(fixture.clock.now()),
        ANALYZER_VERSION,
      ]),
    );

  it('takes a page of each tenant in turn, and leaves out who fails, without an end for the others', async () => {
    const { database, clock } = fixture;
    const { signal } = new AbortController();
    const progress = await createEchoesJob(fixture).run({ database, clock, signal, cursor: null, budgetMs: 60_000 });
    expect(progress).toMatchObject({
      done: MANY,
      cursor: null,
      problem: { message: expect.stringContaining('broken') },
    });
    const pages = await admin.inTenant(large, (tx) =>
      tx.query<{ user_id: string }>('SELECT user_id FROM annals.pages ORDER BY place'),
    );
    expect(pages.map((page) => page.user_id)).toEqual(['third', 'first', 'first', 'first', 'second']);
    const due = await fixture.query(large, `SELECT user_id FROM users WHERE analyzer = $1`, [ANALYZER_VERSION]);
    expect(due).toEqual([{ user_id: 'broken' }]);
  });

  it('goes on with the tenant whose turn it is when its time is over', async () => {
    await addUsers(large, 'fourth');
    await addUsers(small, 'fifth');
    const { database, clock } = fixture;
    const stopped = AbortSignal.abort();
    const run = {
      database,
      clock,
      signal: stopped,
      cursor: { tenantId: large, version: ANALYZER_VERSION },
      budgetMs: 1,
    };
    expect(await createEchoesJob(fixture).run(run)).toEqual({ done: 0, cursor: run.cursor, problem: undefined });
    const { signal } = new AbortController();
    expect(await createEchoesJob(fixture).run({ ...run, signal, budgetMs: 60_000 })).toMatchObject({ cursor: null });
    const pages = await admin.inTenant(large, (tx) =>
      tx.query<{ user_id: string }>('SELECT user_id FROM annals.pages ORDER BY place DESC LIMIT 2'),
    );
    expect(pages.map((page) => page.user_id)).toEqual(['fourth', 'fifth']);
  });
});
