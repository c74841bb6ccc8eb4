import { Database } from '@annals/storage';
import { createIndexJob } from './jobs/index-job.js';
import { MaintenanceFixture } from './maintenance.fixture.js';

const BROKEN = 120;
const WHOLE = 70;

describe('index job', () => {
  let fixture: MaintenanceFixture;
  let admin: Database;

  beforeAll(async () => {
    fixture = await MaintenanceFixture.open();
    admin = await Database.open({ ...fixture.testDatabase.admin, poolSize: 1 });
  });
  afterAll(async () => {
    await admin.close();
    await fixture.close();
  });

  it('rebuilds every index that can be rebuilt, however many before it fail', async () => {
    const tenant = await fixture.addTenant('old');
    await admin.inTenant(tenant, async (tx) => {
      await tx.execute(
        `CREATE FUNCTION annals.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$`,
      );
      await tx.execute(
        `CREATE TRIGGER refuse BEFORE UPDATE ON annals.users FOR EACH ROW WHEN (old.user_id LIKE 'broken%')
         EXECUTE FUNCTION annals.refuse()`,
      );
    });
    const users = [
      ...Array.from({ length: BROKEN }, (_, index) => `broken-${index}`),
      ...Array.from({ length: WHOLE }, (_, index) => `whole-${index}`),
    ];
    await fixture.database.inTenant(tenant, (tx) =>
      tx.execute('INSERT INTO users (user_id, created_at, analyzer) SELECT unnest($1::text[]), $2, 0', [
        users,
        new Date(fixture.clock.now()),
      ]),
    );
    const { database, clock } = fixture;
    const { signal } = new AbortController();
    const run = { database, clock, signal, cursor: null, budgetMs: 60_000 };
    const progress = await createIndexJob(fixture).run(run);
    expect(progress).toMatchObject({
      done: WHOLE,
      cursor: null,
      problem: { message: expect.stringContaining('broken') },
    });
    const old = await fixture.query<{ user_id: string }>(tenant, 'SELECT user_id FROM users WHERE analyzer = 0');
    expect(old).toHaveLength(BROKEN);
    expect(old.every(({ user_id }) => user_id.startsWith('broken'))).toBe(true);
    expect(await createIndexJob(fixture).run(run)).toMatchObject({ done: 0, cursor: null });
  });
});
