import { Redis } from 'ioredis';

/**
 * The minimum of a budget, as the baseline: one sum, one limit, reservations that expire. No scopes, no epochs, only
 * admitted or not. KEYS[1] is a hash of `used` and the amounts of reservations, KEYS[2] the reservations by their
 * expiry. Times are epoch ms.
 */
const RESERVE = `
local now, id, amount, limit, untilAt = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do
  redis.call('HINCRBY', KEYS[1], 'used', -redis.call('HGET', KEYS[1], gone))
  redis.call('HDEL', KEYS[1], gone)
  redis.call('ZREM', KEYS[2], gone)
end
if tonumber(redis.call('HGET', KEYS[1], 'used') or 0) + amount > limit then return 0 end
redis.call('HINCRBY', KEYS[1], 'used', amount)
redis.call('HSET', KEYS[1], id, amount)
redis.call('ZADD', KEYS[2], untilAt, id)
return 1
`;
const SETTLE = `
local reserved = redis.call('HGET', KEYS[1], ARGV[1])
if not reserved then return 0 end
redis.call('HINCRBY', KEYS[1], 'used', ARGV[2] - reserved)
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return 1
`;
const RESERVATION_MS = 90_000;

export interface BareBudget {
  reserve(id: string, amount: number, limit: number): Promise<boolean>;
  settle(id: string, cost: number): Promise<boolean>;
  /** A PING, for the time of a round trip. */
  ping(): Promise<unknown>;
  close(): Promise<void>;
}

interface Scripts {
  bareReserve(keys: 2, hash: string, reservations: string, ...values: (string | number)[]): Promise<number>;
  bareSettle(keys: 2, hash: string, reservations: string, ...values: (string | number)[]): Promise<number>;
}

/** Uses a connection of its own, like our coordination. */
export async function openBareBudget(url: string, prefix: string, now: () => number): Promise<BareBudget> {
  const redis = new Redis(url, { enableAutoPipelining: false });
  redis.defineCommand('bareReserve', { lua: RESERVE });
  redis.defineCommand('bareSettle', { lua: SETTLE });
  const scripts = redis as unknown as Scripts;
  const keys = [`{${prefix}:bare}:sums`, `{${prefix}:bare}:reservations`] as const;
  await redis.ping();
  return {
    reserve: async (id, amount, limit) => {
      const at = now();
      return (await scripts.bareReserve(2, ...keys, at, id, amount, limit, at + RESERVATION_MS)) === 1;
    },
    settle: async (id, cost) => (await scripts.bareSettle(2, ...keys, id, cost)) === 1,
    ping: () => redis.ping(),
    close: async () => {
      await redis.unlink(...keys);
      redis.disconnect();
    },
  };
}
