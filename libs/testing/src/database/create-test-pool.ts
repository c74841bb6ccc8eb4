import pg from 'pg';

/**
 * A pool for statements of the spec itself. A server that stops ends its open connections, including those that the
 * pool is closing; `pg` reports that on the pool, and an error without a listener ends the process. The next statement
 * on such a pool fails with the same error.
 */
export function createTestPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => undefined);
  return pool;
}
