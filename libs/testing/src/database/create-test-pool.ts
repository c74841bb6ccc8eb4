import pg from 'pg';

/**
 * A pool for what a spec asks or changes itself. A server that stops ends the connections it still has, also those that
 * the pool is closing; `pg` reports that on the pool, and an error nobody listens to ends the process. The next statement
 * on such a pool fails with the same error.
 */
export function createTestPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => undefined);
  return pool;
}
