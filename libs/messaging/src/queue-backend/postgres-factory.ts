import { createPostgresBackend, type createRedisBackend } from 'bullmq';
import type pg from 'pg';

/**
 * BullMQ's classes have the type of their backend as a parameter, though the members used here are the same for each.
 * With this one cast all other code can use plain `Queue` and `Worker`.
 */
export const postgresFactory = createPostgresBackend as unknown as typeof createRedisBackend;

/** Passes a pool where BullMQ's types expect a Redis connection. */
export function asConnection(pool: pg.Pool): { host?: string } {
  return pool as { host?: string };
}
