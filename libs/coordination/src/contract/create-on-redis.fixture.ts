import { SeededRng } from '@annals/domain';
import type { Coordination } from '../port/coordination.js';
import { createRedisCoordination, type RedisCoordinationOptions } from '../redis/create-redis-coordination.js';

let fixtures = 0;

/** A coordination on the server at `url` with a key prefix of its own, unless `options` set one. */
export function createOnRedis(url: string, options: Partial<RedisCoordinationOptions> = {}): Coordination {
  fixtures += 1;
  return createRedisCoordination({
    redis: url,
    rng: new SeededRng(fixtures),
    keyPrefix: `spec${process.pid}.${fixtures}`,
    // Specs send thousands of concurrent commands; a spec of timeouts sets a shorter one.
    commandTimeoutMs: 30_000,
    ...options,
  });
}
