import { Redis } from 'ioredis';
import { fail, type Finding, ok, skip, warn } from '../report.js';

const TIMEOUT_MS = 5_000;

/** Checks that Redis answers, evicts no keys (with eviction, the queue loses jobs), and saves them. */
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
    const info = await client.info();
    return evaluateRedis(info, await readSettings(client));
  } catch (error) {
    return [explainFailure(error)];
  } finally {
    client.disconnect();
  }
}

/** Settings that INFO does not tell; null where CONFIG is refused, as by many hosted servers. */
type Settings = Readonly<Record<'save' | 'stop-writes-on-bgsave-error', string>>;

async function readSettings(client: Redis): Promise<Settings | null> {
  try {
    const names = ['save', 'stop-writes-on-bgsave-error'] as const;
    const values = await Promise.all(names.map((name) => client.config('GET', name) as Promise<string[]>));
    return Object.fromEntries(names.map((name, index) => [name, values[index]![1] ?? ''])) as Settings;
  } catch {
    return null;
  }
}

/** `info` is the text of the INFO command. */
export function evaluateRedis(info: string, settings: Settings | null): Finding[] {
  const facts: Facts = new Map([...info.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name, value]) => [name!, value!]));
  const name = facts.has('valkey_version') ? 'Valkey' : 'Redis';
  const version = facts.get('valkey_version') ?? facts.get('redis_version') ?? '?';
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
    evaluateEviction(name, facts),
    evaluatePersistence(name, facts, settings),
  ];
}

/** Fields of INFO. */
type Facts = ReadonlyMap<string, string>;

function evaluateEviction(name: string, facts: Facts): Finding {
  const policy = facts.get('maxmemory_policy');
  if (policy === undefined || policy === 'noeviction') {
    return ok('redis.eviction', `${name} evicts no keys when its memory is full.`);
  }
  return warn(
    'redis.eviction',
    `${name} evicts keys when its memory is full (maxmemory-policy ${policy}); jobs and budget counters would be rebuilt each time.`,
    'Set maxmemory-policy to noeviction.',
  );
}

/**
 * Nothing in Redis is worth restoring (docs/operating.md#redis), so persistence only shortens what follows a restart. A
 * save that fails is worse than none: the server then refuses writes.
 */
function evaluatePersistence(name: string, facts: Facts, settings: Settings | null): Finding {
  const check = 'redis.persistence';
  const hasAof = facts.get('aof_enabled') === '1';
  if (hasAof && facts.get('aof_last_write_status') === 'err') {
    return fail(
      check,
      `${name} cannot write its append-only file and refuses writes.`,
      'Give it free space and the right to write there; its log has the reason.',
    );
  }
  if (facts.get('rdb_last_bgsave_status') === 'err' && settings?.save !== '') {
    const [because, advice] = ['its last snapshot failed', 'Give it free space and memory; its log has the reason.'];
    return settings?.['stop-writes-on-bgsave-error'] === 'no'
      ? warn(check, `${name} has no recent copy on disk: ${because}.`, advice)
      : fail(check, `${name} refuses writes: ${because}.`, advice);
  }
  if (hasAof) return ok(check, `${name} keeps an append-only file.`);
  if (settings === null) {
    return skip(check, `${name} keeps no append-only file, and does not tell whether it saves snapshots (CONFIG).`);
  }
  if (settings.save !== '') return ok(check, `${name} saves snapshots.`);
  return warn(
    check,
    `${name} saves nothing to disk: after a restart, work waits until the sweep has released it again, and budgets until their counters are rebuilt.`,
    'Set appendonly to yes.',
  );
}

const WRONG_LOGIN = /NOAUTH|WRONGPASS|NOPERM/;

function explainFailure(error: unknown): Finding {
  return WRONG_LOGIN.test(String(error))
    ? fail('redis', 'Redis refuses the login.', 'Check user and password in ANNALS_REDIS_URL.')
    : fail('redis', 'Redis does not answer.', 'Check ANNALS_REDIS_URL, and that the server runs.');
}
