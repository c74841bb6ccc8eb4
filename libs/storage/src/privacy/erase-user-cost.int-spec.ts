import { randomBytes } from 'node:crypto';
import type { Database } from '../database/database.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { lockUser } from '../audit/user-chain.js';
import { eraseUser } from './erase-user.js';

const OTHERS = 20_000;

describe('erasing a user of a tenant with many runs of minds', () => {
  let fixture: StorageFixture;
  let database: Database;
  let tenant: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    // One connection, so that its statistics can be flushed.
    database = await fixture.openAnother({ poolSize: 1 });
    tenant = await fixture.addTenant();
    const now = fixture.clock.now();
    await fixture.inTenant(tenant, (tx) => lockUser(tx, 'bob', now));
    const { subjectId } = await fixture.inTenant(tenant, (tx) => lockUser(tx, 'ada', now));
    await fixture.queryAsSuperuser(
      `WITH subjects AS (
         SELECT gen_random_uuid() AS id, 'bob' AS user_id FROM generate_series(1, $3::int)
         UNION ALL
         SELECT $2::uuid, 'ada'),
       seen AS (
         INSERT INTO mind_watermarks (tenant_id, subject_id, kind, updated_at)
         SELECT $1, id, 'consolidation', $4 FROM subjects)
       INSERT INTO mind_runs (tenant_id, id, kind, subject_id, user_id, trigger, is_dry_run, started_at)
       SELECT $1, gen_random_uuid(), 'consolidation', id, user_id, 'schedule', false, $4 FROM subjects`,
      [tenant, subjectId, OTHERS, new Date(now)],
    );
    for (const table of ['mind_runs', 'mind_watermarks']) await fixture.queryAsSuperuser(`VACUUM ANALYZE ${table}`);
    await fixture.queryAsSuperuser('SELECT pg_stat_force_next_flush()');
  });
  afterAll(() => fixture.close());

  /** Rows and index entries of both tables read so far, as PostgreSQL counts them. */
  const countReads = async (): Promise<number> => {
    await database.inTenant(tenant, (tx) => tx.query('SELECT pg_stat_force_next_flush()'));
    const [row] = await fixture.queryAsSuperuser<{ reads: string }>(
      `SELECT sum(t.seq_tup_read) + (SELECT sum(i.idx_tup_read) FROM pg_stat_user_indexes i
                                      WHERE i.relname IN ('mind_runs', 'mind_watermarks')) AS reads
         FROM pg_stat_user_tables t WHERE t.relname IN ('mind_runs', 'mind_watermarks')`,
    );
    return Number(row!.reads);
  };

  it('reads what is theirs only', async () => {
    const before = await countReads();
    const whole = await database.inTenant(tenant, (tx) => tx.query('SELECT started_at FROM mind_runs'));
    expect(whole).toHaveLength(OTHERS + 1);
    const counted = await countReads();
    expect(counted - before).toBeGreaterThan(OTHERS);

    const erasure = { userId: 'ada', actor: 'spec', key: Buffer.alloc(32, 3) };
    const { clock, ids } = fixture;
    const erased = await database.inTenant(tenant, (tx) => eraseUser(tx, erasure, { clock, ids, randomBytes }));
    expect(erased!.receipt.counts).toMatchObject({ mind_runs: 1, mind_watermarks: 1 });
    expect((await countReads()) - counted).toBeLessThan(100);
  });
});
