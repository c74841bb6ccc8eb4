import { type AdminQuery, type DistributedSystem, isSoak, sized, startOnServices, waitUntil } from '@annals/testing';
import { formatSeconds, reportFigure } from './report.js';

const MEMORIES = sized(3_000, 6_000);
const PAIRS = sized(150, 1_500);
const USERS = 6;
/** Of each user: two pages of the job. */
const ECHOES = 100;

describe('persistence killed during background work', () => {
  let system: DistributedSystem;
  beforeAll(async () => {
    system = await startOnServices({ persistences: 2, env: { ANNALS_RETENTION_INTERVAL_MS: '1000' } });
  });
  afterAll(() => system?.close());

  const countExpired = async (query: AdminQuery) =>
    (await query<{ n: number }>(`SELECT count(*)::int AS n FROM memories WHERE state = 'soft_deleted'`))[0]!.n;

  /**
   * Locks the user whom the job reaches last, so that the job cannot finish before the lock is released.
   */
  const lockUser = async (userId: string): Promise<() => Promise<void>> => {
    const locked = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const holding = system.inspect(async (query) => {
      await query('BEGIN');
      await query('SELECT FROM users WHERE user_id = $1 FOR NO KEY UPDATE', [userId]);
      locked.resolve();
      await over.promise;
    });
    await Promise.race([locked.promise, holding]);
    return () => {
      over.resolve();
      return holding;
    };
  };

  /** Starts work whose progress `count` tells, and kills its process before it has reached `all`. */
  async function killDuring(
    query: AdminQuery,
    job: {
      readonly what: string;
      readonly all: number;
      readonly lastUser?: string;
      start(): Promise<unknown>;
      count(): Promise<number>;
    },
  ): Promise<void> {
    const releaseLock = await lockUser(job.lastUser ?? 'last');
    await job.start();
    await waitUntil(async () => (await job.count()) > job.all / 20, {
      describe: 'the job is under way',
      intervalMs: 5,
    });
    // Both processes are killed, so it does not matter which of them does the work.
    await Promise.all(system.persistences.map((each) => each.kill9()));
    await releaseLock();
    // In the soak lane the lease of the killed process expires by itself, half a minute later.
    if (!isSoak) await query('UPDATE maintenance_jobs SET lease_until = now()');
    if (!isSoak) await query('UPDATE work SET claimed_until = now() WHERE claimed_until IS NOT NULL');
    const before = await job.count();
    expect(before).toBeLessThan(job.all);
    const killedAt = Date.now();
    await Promise.all(system.persistences.map((each) => each.start()));
    await waitUntil(async () => (await job.count()) === job.all, { describe: `${job.all} ${job.what}` });
    reportFigure(
      `kill -9 of persistence after ${before} of ${job.all} ${job.what}`,
      `all done ${formatSeconds(Date.now() - killedAt)} later, each once`,
    );
  }

  const expectUnbrokenChains = async (query: AdminQuery) => {
    const gaps = await query(
      `SELECT user_id FROM history GROUP BY user_id HAVING max(seq) <> count(*) OR count(DISTINCT prev_hash) <> count(*)`,
    );
    expect(gaps).toEqual([]);
  };

  it('leaves the rest of what expires to another process, and deletes nothing twice', async () => {
    await system.inspect(async (query) => {
      await addUsers(query);
      await killDuring(query, {
        what: 'expired memories',
        all: MEMORIES,
        start: () => addOldMemories(query),
        count: () => countExpired(query),
      });
      const events = await query<{ event: string; n: number; memories: number }>(
        `SELECT event, count(*)::int AS n, count(DISTINCT memory_id)::int AS memories FROM history GROUP BY event`,
      );
      expect(events).toEqual([{ event: 'TTL', n: MEMORIES, memories: MEMORIES }]);
      await expectUnbrokenChains(query);
    });
  });

  it('leaves work on vectors, with relations and similarity checks, to another process, each whole and once', async () => {
    await system.inspect(async (query) => {
      const memories = 2 * PAIRS + 1;
      await killDuring(query, {
        what: 'vectors that came later',
        all: memories,
        start: async () => {
          await addWithoutVectors(query);
          await query(`UPDATE maintenance_jobs SET due_at = now() WHERE name = 'memory_vectors'`);
        },
        count: async () => (await query<{ n: number }>('SELECT count(*)::int AS n FROM memory_embeddings'))[0]!.n,
      });
      await waitUntil(async () => (await query(`SELECT FROM work WHERE kind = 'vectors'`)).length === 0, {
        describe: 'the work has ended',
      });
      const [merged] = await query(
        `SELECT count(*)::int AS rows, count(DISTINCT memory_id)::int AS memories FROM history WHERE event = 'MERGE'`,
      );
      expect(merged).toEqual({ rows: PAIRS, memories: PAIRS });
      const kept = await query(
        `SELECT substring(content FROM '[0-9]+') FROM memories
          WHERE state = 'active' AND superseded_by IS NULL AND valid_to IS NULL AND content LIKE 'The user%'
          GROUP BY 1 HAVING count(*) = 1`,
      );
      expect(kept).toHaveLength(PAIRS + 1);
      const [related] = await query<{ relations: number; pairs: number; recorded: number }>(
        `SELECT count(*)::int AS relations,
                count(DISTINCT (least(from_id, to_id), greatest(from_id, to_id)))::int AS pairs,
                (SELECT count(*)::int FROM history h JOIN relations r ON h.memory_id = r.from_id AND h.new_ref = r.to_id
                  WHERE h.event = 'LINK') AS recorded
           FROM relations`,
      );
      expect(related!.relations).toBeGreaterThan(PAIRS);
      expect(related).toMatchObject({ pairs: related!.relations, recorded: related!.relations });
      await expectUnbrokenChains(query);
    });
  });

  it('leaves echoes of earlier memories to another process, which goes on at the page that was not committed', async () => {
    await system.inspect(async (query) => {
      const count = async (sql: string) => (await query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`))[0]!.n;
      await query(`UPDATE maintenance_jobs SET due_at = now() + interval '1 day' WHERE name = 'echoes'`);
      await addEarlierEchoes(query);
      await query(`UPDATE maintenance_jobs SET due_at = now() WHERE name = 'lexical_index'`);
      await waitUntil(async () => (await count(`users WHERE user_id LIKE 'echo-%' AND analyzer = 3`)) === USERS, {
        describe: 'all are indexed',
      });
      await killDuring(query, {
        what: 'echoes of earlier memories',
        all: USERS * ECHOES,
        lastUser: `echo-${USERS - 1}`,
        start: () => query(`UPDATE maintenance_jobs SET due_at = now() WHERE name = 'echoes'`),
        count: () => count('messages WHERE echo_of IS NOT NULL'),
      });
      const right = await count(
        `messages g JOIN memories m ON g.echo_of = ARRAY[m.id]
          WHERE m.content = 'The user plays ' || substring(g.content FROM 'Game[0-9]+') || '.'`,
      );
      expect(right).toBe(USERS * ECHOES);
      const done = `users WHERE user_id LIKE 'echo-%' AND analyzer = 4 AND echoes_after IS NULL`;
      await waitUntil(async () => (await count(done)) === USERS, { describe: 'nothing is due any more' });
    });
  });
});

/** Turns of an assistant, each of which repeats a memory that was deleted before echoes were noted; their index is outdated. */
async function addEarlierEchoes(query: AdminQuery): Promise<void> {
  await query(`INSERT INTO users (tenant_id, user_id, created_at, analyzer, next_unit)
    SELECT tenant_id, 'echo-' || u, now(), 1, ${ECHOES} FROM tenants, generate_series(0, ${USERS - 1}) u WHERE name = 'default'`);
  await query(`INSERT INTO conversations (tenant_id, id, user_id, thread_id, message_count, created_at, updated_at)
    SELECT tenant_id, gen_random_uuid(), user_id, 't', ${ECHOES}, now(), now() FROM users WHERE user_id LIKE 'echo-%'`);
  await query(`INSERT INTO batches (tenant_id, id, conversation_id, user_id, state, message_count, sealed_at,
                                    accepted_at, finished_at, indexed_at)
    SELECT tenant_id, gen_random_uuid(), id, user_id, 'done', ${ECHOES}, now(), now(), now(), now()
      FROM conversations WHERE user_id LIKE 'echo-%'`);
  await query(`INSERT INTO messages (tenant_id, batch_id, id, conversation_id, seq, role, content, said_at, received_at)
    SELECT tenant_id, id, gen_random_uuid(), conversation_id, n, 'assistant', 'Great that you play Game' || n || '!', ${LONG_AGO}, ${LONG_AGO}
      FROM batches, generate_series(1, ${ECHOES}) n WHERE user_id LIKE 'echo-%'`);
  await query(`INSERT INTO lexical_units (tenant_id, user_id, unit, message_id, length)
    SELECT c.tenant_id, c.user_id, g.seq - 1, g.id, 0 FROM messages g JOIN conversations c ON c.id = g.conversation_id
     WHERE c.user_id LIKE 'echo-%'`);
  await query(`INSERT INTO memories (tenant_id, id, user_id, category, type, content, normalized_hash, hash_version, state,
                                     origin, importance, confidence, valid_from, recorded_at, updated_at, deleted_at,
                                     deleted_by, purge_at)
    SELECT tenant_id, gen_random_uuid(), user_id, 'profile', 'semantic', 'The user plays Game' || n || '.', n, '1',
           'soft_deleted', 'manual', 3, 0.8, now(), now(), now(), now(), 'user', now() + interval '30 days'
      FROM users, generate_series(1, ${ECHOES}) n WHERE user_id LIKE 'echo-%'`);
}

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

/**
 * Pairs of memories that mean the same, which were written while embeddings were unavailable. Each pair is about a name
 * of its own, so that no others are nearer to a memory than the one that means the same.
 */
async function addWithoutVectors(query: AdminQuery): Promise<void> {
  await query(
    `INSERT INTO memories (tenant_id, id, user_id, category, type, content, normalized_hash, hash_version, state, origin,
                           importance, confidence, valid_from, recorded_at, updated_at)
     SELECT t.tenant_id, CASE n WHEN 0 THEN 'ffffffff-ffff-7fff-bfff-fffffffffffe' ELSE gen_random_uuid() END,
            CASE n WHEN 0 THEN 'last' ELSE 'old-' || n % ${USERS} END, 'profile', 'semantic', words, words, '1',
            'active', 'manual', 3, 0.8, now(), now(), now()
       FROM tenants t, generate_series(0, ${PAIRS}) n,
            translate(md5(n::text), '0123456789', 'ghijklmnop') own_name,
            LATERAL (VALUES ('The user owns bicycle ' || n || ' called ' || own_name),
                            ('The user really owns the bicycle ' || n || ' called ' || own_name)) s (words)
      WHERE t.name = 'default' AND (n > 0 OR words NOT LIKE '%really%')`,
  );
}
