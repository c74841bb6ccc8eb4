import { evaluateRedis, inspectRedis } from './check-redis.js';

const SNAPSHOTS = { save: '3600 1', 'stop-writes-on-bgsave-error': 'yes' };
const VALKEY = 'redis_version:7.2.4\r\nvalkey_version:8.1.1\r\n';

describe('evaluateRedis', () => {
  it.each([
    ['redis_version:7.0.15\r\nmaxmemory_policy:noeviction\r\n', ['ok', 'ok', 'ok'], 'Redis 7.0.15'],
    [`${VALKEY}maxmemory_policy:allkeys-lru\r\n`, ['ok', 'warn', 'ok'], 'Valkey 8.1.1'],
    ['redis_version:7.0.15\r\n', ['ok', 'ok', 'ok'], 'Redis 7.0.15'],
    ['redis_version:7.0.15\r\nrole:master\r\nredis_mode:standalone\r\n', ['ok', 'ok', 'ok'], 'Redis 7.0.15'],
    ['redis_version:7.0.15\r\nrole:slave\r\n', ['ok', 'fail', 'ok', 'ok'], 'Redis 7.0.15'],
    ['redis_version:7.0.15\r\nredis_mode:cluster\r\n', ['ok', 'fail', 'ok', 'ok'], 'Redis 7.0.15'],
  ])('evaluates %j', (info, verdicts, name) => {
    const findings = evaluateRedis(info, SNAPSHOTS);
    expect(findings.map(({ verdict }) => verdict)).toEqual(verdicts);
    expect(findings[0]!.found).toContain(name);
  });

  const off = { ...SNAPSHOTS, save: '' };
  it.each([
    ['an append-only file', 'aof_enabled:1\r\naof_last_write_status:ok', off, 'ok', 'append-only'],
    [
      'an append-only file that cannot be written',
      'aof_enabled:1\r\naof_last_write_status:err',
      off,
      'fail',
      'refuses',
    ],
    ['snapshots', 'aof_enabled:0\r\nrdb_last_bgsave_status:ok', SNAPSHOTS, 'ok', 'snapshots'],
    ['a failed snapshot', 'rdb_last_bgsave_status:err', SNAPSHOTS, 'fail', 'refuses writes'],
    [
      'a failed snapshot that stops no writes',
      'aof_enabled:1\r\nrdb_last_bgsave_status:err',
      { ...SNAPSHOTS, 'stop-writes-on-bgsave-error': 'no' },
      'warn',
      'snapshot failed',
    ],
    [
      'a failed snapshot of a server that tells no settings',
      'rdb_last_bgsave_status:err',
      null,
      'fail',
      'refuses writes',
    ],
    ['an earlier failure of snapshots that are off', 'rdb_last_bgsave_status:err', off, 'warn', 'saves nothing'],
    ['no persistence', 'aof_enabled:0\r\nrdb_last_bgsave_status:ok', off, 'warn', 'saves nothing'],
    ['a server that tells no settings', 'aof_enabled:0\r\nrdb_last_bgsave_status:ok', null, 'skip', 'CONFIG'],
  ])('judges %s', (_what, info, settings, verdict, found) => {
    const finding = evaluateRedis(`${VALKEY}${info}\r\n`, settings).at(-1);
    expect(finding).toMatchObject({ check: 'redis.persistence', verdict, found: expect.stringContaining(found) });
    expect(finding!.advice === undefined).toBe(verdict === 'ok' || verdict === 'skip');
  });
});

describe('inspectRedis', () => {
  it('reports that no server answers, without the address', async () => {
    const findings = await inspectRedis('redis://:hush@127.0.0.1:1');
    expect(findings).toMatchObject([{ check: 'redis', verdict: 'fail' }]);
    expect(JSON.stringify(findings)).not.toContain('hush');
  });
});
