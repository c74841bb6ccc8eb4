import { type AdminQuery, type DistributedSystem, isSoak, sized, startOnServices, waitUntil } from '@annals/testing';
import { formatSeconds, reportFigure } from './report.js';

const MEMORIES = sized(3_000, 6_000);
const USERS = 6;

describe('persistence killed while a maintenance job deletes expired memories', () => {
  let system: DistributedSystem;
  beforeAll(async () => {
    system = await startOnServices({ persistences: 2, env: { ANNALS_RETENTION_INTERVAL_MS: '1000' } });
  });
  afterAll(() => system?.close());

  const countExpired = async (query: AdminQuery) =>
    (await query<{ n: number }>(`SELECT count(*)::int AS n FROM memories WHERE state = 'soft_deleted'`))[0]!.n;

  /**
   * Locks the user of the memory that the job reaches last, so that the job cannot finish before the lock is released.
   */
  const lockLastUser = async (): Promise<() => Promise<void>> => {
    const locked = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const holding = system.inspect(async (query) => {
      await query('BEGIN');
      await query(`SELECT FROM users WHERE user_id = 'last' FOR NO KEY UPDATE`);
      locked.resolve();
      await over.promise;
    });
    await Promise.race([locked.promise, holding]);
    return () => {
      over.resolve();
      return holding;
    };
  };

  it('leaves the rest to another process, and deletes nothing twice', async () => {
    await system.inspect(async (query) => {
      await addUsers(query);
      const releaseLock = await lockLastUser();
      await addOldMemories(query);
      await waitUntil(async () => (await countExpired(query)) > MEMORIES / 20, {
        describe: 'the job is under way',
        intervalMs: 5,
      });
      // Only one of the two processes runs the job; both are killed, so it does not matter which.
      await Promise.all(system.persistences.map((each) => each.kill9()));
      await releaseLock();
      // In the soak lane the lease of the killed process expires by itself, half a minute later.
      if (!isSoak) await query('UPDATE maintenance_jobs SET lease_until = now()');
      const before = await countExpired(query);
      expect(before).toBeLessThan(MEMORIES);
      const killedAt = Date.now();
      await Promise.all(system.persistences.map((each) => each.start()));
      await waitUntil(async () => (await countExpired(query)) === MEMORIES, {
        describe: 'all old memories are deleted',
      });
      reportFigure(
        `kill -9 of persistence after ${before} of ${MEMORIES} expired memories`,
        `all done ${formatSeconds(Date.now() - killedAt)} later, each once`,
      );
      const events = await query<{ event: string; n: number; memories: number }>(
        `SELECT event, count(*)::int AS n, count(DISTINCT memory_id)::int AS memories FROM history GROUP BY event`,
      );
      expect(events).toEqual([{ event: 'TTL', n: MEMORIES, memories: MEMORIES }]);
      const gaps = await query(
        `SELECT user_id FROM history GROUP BY user_id HAVING max(seq) <> count(*) OR count(DISTINCT prev_hash) <> count(*)`,
      );
      expect(gaps).toEqual([]);
    });
  });
});

const LONG_AGO = `now() - interval '100 days'`;

async function addUsers(query: AdminQuery): Promise<void> {
  await query(
    `INSERT INTO users (tenant_id, user_id, created_at)
     SELECT t.tenant_id, u, ${LONG_AGO} FROM tenants t, unnest($1::text[]) u WHERE t.name = 'default'`,
    [[...Array.from({ length: USERS }, (_, number) => `old-${number}`), 'last']],
  );
}

/** Memories not used for 100 days, of the lowest importance. The one of user `last` has the highest key. */
async function addOldMemories(query: AdminQuery): Promise<void> {
  await query(
    `INSERT INTO memories (tenant_id, id, user_id, category, type, content, normalized_hash, hash_version, state, origin,
                           importance, confidence, valid_from, recorded_at, updated_at)
     SELECT t.tenant_id, CASE n WHEN 0 THEN 'ffffffff-ffff-7fff-bfff-ffffffffffff' ELSE gen_random_uuid() END,
            CASE n WHEN 0 THEN 'last' ELSE 'old-' || n % ${USERS} END, 'profile', 'semantic', 'object ' || n, n, '1',
            'active', 'manual', 1, 0.8, ${LONG_AGO}, ${LONG_AGO}, ${LONG_AGO}
       FROM tenants t, generate_series(0, ${MEMORIES - 1}) n WHERE t.name = 'default'`,
  );
}
