import { SeededRng } from '@annals/domain';
import type { Coordination } from '../port/coordination.js';
import { createRedisCoordination, type RedisCoordinationOptions } from '../redis/create-redis-coordination.js';

let fixtures = 0;

/** A coordination on the server at `url` with keys of its own, unless `options` name the prefix of another. */
export function createOnRedis(url: string, options: Partial<RedisCoordinationOptions> = {}): Coordination {
  fixtures += 1;
  return createRedisCoordination({
    redis: url,
    rng: new SeededRng(fixtures),
    keyPrefix: `spec${process.pid}.${fixtures}`,
    // Specs send thousands of commands at once; how soon one is given up is a matter of those that say so.
    commandTimeoutMs: 30_000,
    ...options,
  });
}
