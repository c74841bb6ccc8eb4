import { ANALYZER_VERSION, type Clock, ManualClock } from '@annals/domain';
import { Database } from '@annals/storage';
import { createIndexJob } from './jobs/index-job.js';
import { MaintenanceFixture } from './maintenance.fixture.js';

const BROKEN = 120;
const WHOLE = 70;
/** Memories of a user whose index takes several steps. */
const MANY = 1_000;

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
    await admin.inTenant(tenant, (tx) => tx.execute('DELETE FROM users'));
  });

  /** Users of an earlier analyser, each with so many memories that are in no index. */
  const addOutdated = (tenant: string, users: Readonly<Record<string, number>>) =>
    fixture.database.inTenant(tenant, async (tx) => {
      const now = new Date(fixture.clock.now());
      for (const [userId, memories] of Object.entries(users)) {
        await tx.execute('INSERT INTO users (user_id, created_at, analyzer) VALUES ($1, $2, 1)', [userId, now]);
        await tx.execute(
          `INSERT INTO memories (id, user_id, category, type, content, normalized_hash, hash_version, state, origin,
             importance, confidence, valid_from, recorded_at, updated_at)
           SELECT gen_random_uuid(), $1, 'profile', 'semantic', 'The user plays Game' || n || '.', n, '1', 'active',
                  'manual', 3, 0.8, $2, $2, $2 FROM generate_series(1, $3::integer) n`,
          [userId, now, memories],
        );
      }
    });
  const countOutdated = async (tenant: string) =>
    (await fixture.query(tenant, `SELECT FROM users WHERE analyzer < ${ANALYZER_VERSION}`)).length;
  const countUnits = async (tenant: string, userId: string) =>
    (await fixture.query(tenant, 'SELECT FROM lexical_units WHERE user_id = $1', [userId])).length;
  /** A run that is stopped when it has read the clock `times`: once for each pass over the gaps. */
  const startStopping = (times: number) => {
    const { database } = fixture;
    const controller = new AbortController();
    let read = 0;
    const clock: Clock = Object.assign(new ManualClock(fixture.clock.now()), {
      now: () => {
        read += 1;
        if (read >= times) controller.abort();
        return fixture.clock.now();
      },
    });
    return { database, clock, signal: controller.signal, cursor: null, budgetMs: 60_000 };
  };

  it('takes a step of each user in turn, so that a very large one keeps nobody waiting, and stops between two', async () => {
    const tenant = await fixture.addTenant('giant');
    await addOutdated(tenant, { '1-giant': MANY, '2-giant': MANY, '3-small': 1, '4-small': 1 });
    const run = startStopping(2);
    expect(await createIndexJob(fixture).run(run)).toMatchObject({ done: 4, cursor: {} });
    const units = await Promise.all(
      ['1-giant', '2-giant', '3-small', '4-small'].map((user) => countUnits(tenant, user)),
    );
    expect(units).toEqual([expect.any(Number), units[0], 1, 1]);
    expect(units[0]).toBeGreaterThan(0);
    expect(units[0]).toBeLessThan(MANY);
    expect(await countOutdated(tenant)).toBe(2);
    // It goes on where the run before has stopped.
    expect(await createIndexJob(fixture).run(startStopping(2))).toMatchObject({ done: 2, cursor: {} });
    expect(await countUnits(tenant, '1-giant')).toBe(2 * units[0]!);
    expect(await createIndexJob(fixture).run(startStopping(Infinity))).toMatchObject({ cursor: null });
    expect(await countOutdated(tenant)).toBe(0);
    expect(await countUnits(tenant, '2-giant')).toBe(MANY);
  });

  it('asks for the work that follows from a batch which nobody indexed before the index was rebuilt', async () => {
    const tenant = await fixture.addTenant('followed');
    await addOutdated(tenant, { ada: 1 });
    const [conversation, batch] = [fixture.ids.next(), fixture.ids.next()];
    const now = new Date(fixture.clock.now());
    const asking = await Database.open({ ...fixture.testDatabase.app, poolSize: 1 }, { asksMinds: true });
    await asking.inTenant(tenant, async (tx) => {
      await tx.execute(
        `INSERT INTO conversations (id, user_id, thread_id, message_count, created_at, updated_at)
         VALUES ($1, 'ada', 't', 1, $2, $2)`,
        [conversation, now],
      );
      await tx.execute(
        `INSERT INTO batches (id, conversation_id, user_id, state, message_count, sealed_at, accepted_at, finished_at)
         VALUES ($1, $2, 'ada', 'done', 1, $3, $3, $3)`,
        [batch, conversation, new Date(now.getTime() - 3_600_000)],
      );
      await tx.execute(
        `INSERT INTO messages (id, batch_id, conversation_id, seq, role, content, said_at, received_at)
         VALUES ($1, $2, $3, 0, 'user', 'I like tea', $4, $4)`,
        [fixture.ids.next(), batch, conversation, now],
      );
    });
    const { clock } = fixture;
    const { signal } = new AbortController();
    await createIndexJob(fixture).run({ database: asking, clock, signal, cursor: null, budgetMs: 60_000 });
    await asking.close();
    const [row] = await fixture.query<{ indexed: boolean; kinds: string[] }>(
      tenant,
      `SELECT b.indexed_at IS NOT NULL AS indexed,
              ARRAY (SELECT w.kind FROM work w JOIN users u ON u.subject_id = w.subject_id WHERE u.user_id = 'ada') AS kinds
         FROM batches b WHERE b.id = $1`,
      [batch],
    );
    expect(row).toEqual({ indexed: true, kinds: ['insights'] });
    expect(await countUnits(tenant, 'ada')).toBe(2);
  });
});
