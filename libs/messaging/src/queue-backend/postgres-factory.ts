import { createPostgresBackend, type createRedisBackend } from 'bullmq';
import type pg from 'pg';

/**
 * BullMQ's classes carry the type of their backend, though what we use of them is the same for each. This one cast
 * lets the rest speak of `Queue` and `Worker` alone.
 */
export const postgresFactory = createPostgresBackend as unknown as typeof createRedisBackend;

/** A pool in the place where BullMQ's types expect a Redis connection. */
export function asConnection(pool: pg.Pool): { host?: string } {
  return pool as { host?: string };
}
