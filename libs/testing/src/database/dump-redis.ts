import { Redis } from 'ioredis';

/** All keys with this prefix and what they hold, as JSON. */
export async function dumpRedis(url: string, prefix: string): Promise<string> {
  const redis = new Redis(url);
  const parts: unknown[] = [];
  try {
    for await (const keys of redis.scanStream({ match: `{${prefix}}*`, count: 1_000 }) as AsyncIterable<string[]>)
      for (const key of keys) parts.push([key, await readKey(redis, key)]);
  } finally {
    redis.disconnect();
  }
  return JSON.stringify(parts);
}

async function readKey(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, 0, -1);
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      return redis.get(key);
  }
}
