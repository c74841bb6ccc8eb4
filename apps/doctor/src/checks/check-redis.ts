import { Redis } from 'ioredis';
import { fail, type Finding, ok, warn } from '../report.js';

const TIMEOUT_MS = 5_000;

/** Checks that Redis answers and evicts no keys: with eviction, the queue loses jobs. */
export async function inspectRedis(url: string): Promise<Finding[]> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    // The ready check sends INFO too, and hides the reason when INFO is refused.
    enableReadyCheck: false,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return evaluateRedis(await client.info());
  } catch (error) {
    return [explainFailure(error)];
  } finally {
    client.disconnect();
  }
}

/** `info` is the text of the INFO command. */
export function evaluateRedis(info: string): Finding[] {
  const facts = new Map([...info.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name, value]) => [name!, value!]));
  const name = facts.has('valkey_version') ? 'Valkey' : 'Redis';
  const version = facts.get('valkey_version') ?? facts.get('redis_version') ?? '?';
  const policy = facts.get('maxmemory_policy');
  const isReplica = facts.get('role') === 'slave';
  const isCluster = facts.get('redis_mode') === 'cluster' || facts.get('server_mode') === 'cluster';
  return [
    ok('redis', `${name} ${version} answers.`),
    ...(isReplica
      ? [fail('redis.role', `${name} is a replica and refuses writes.`, 'Let ANNALS_REDIS_URL lead to the primary.')]
      : []),
    ...(isCluster
      ? [
          fail(
            'redis.mode',
            `${name} runs as a cluster, which is not supported.`,
            'Use one primary, with a replica for failover.',
          ),
        ]
      : []),
    policy === undefined || policy === 'noeviction'
      ? ok('redis.eviction', `${name} evicts no keys when its memory is full.`)
      : warn(
          'redis.eviction',
          `${name} evicts keys when its memory is full (maxmemory-policy ${policy}); jobs and budget counters would be rebuilt each time.`,
          'Set maxmemory-policy to noeviction.',
        ),
  ];
}

const WRONG_LOGIN = /NOAUTH|WRONGPASS|NOPERM/;

function explainFailure(error: unknown): Finding {
  return WRONG_LOGIN.test(String(error))
    ? fail('redis', 'Redis refuses the login.', 'Check user and password in ANNALS_REDIS_URL.')
    : fail('redis', 'Redis does not answer.', 'Check ANNALS_REDIS_URL, and that the server runs.');
}
