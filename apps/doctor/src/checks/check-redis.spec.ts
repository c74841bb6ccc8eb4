import { evaluateRedis, inspectRedis } from './check-redis.js';

describe('evaluateRedis', () => {
  it.each([
    ['redis_version:7.0.15\r\nmaxmemory_policy:noeviction\r\n', ['ok', 'ok'], 'Redis 7.0.15'],
    ['redis_version:7.2.4\r\nvalkey_version:8.1.1\r\nmaxmemory_policy:allkeys-lru\r\n', ['ok', 'warn'], 'Valkey 8.1.1'],
    ['redis_version:7.0.15\r\n', ['ok', 'ok'], 'Redis 7.0.15'],
    ['redis_version:7.0.15\r\nrole:master\r\nredis_mode:standalone\r\n', ['ok', 'ok'], 'Redis 7.0.15'],
    ['redis_version:7.0.15\r\nrole:slave\r\n', ['ok', 'fail', 'ok'], 'Redis 7.0.15'],
    ['redis_version:7.0.15\r\nredis_mode:cluster\r\n', ['ok', 'fail', 'ok'], 'Redis 7.0.15'],
  ])('evaluates %j', (info, verdicts, name) => {
    const findings = evaluateRedis(info);
    expect(findings.map(({ verdict }) => verdict)).toEqual(verdicts);
    expect(findings[0]!.found).toContain(name);
  });
});

describe('inspectRedis', () => {
  it('reports that no server answers, without the address', async () => {
    const findings = await inspectRedis('redis://:hush@127.0.0.1:1');
    expect(findings).toMatchObject([{ check: 'redis', verdict: 'fail' }]);
    expect(JSON.stringify(findings)).not.toContain('hush');
  });
});
