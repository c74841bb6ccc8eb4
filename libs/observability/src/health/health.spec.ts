import { type HealthCheck, HealthCheckFailure, runHealthChecks } from './health.js';

const healthy: HealthCheck = { name: 'disk', probe: async () => undefined };

describe('runHealthChecks', () => {
  it('is ok when every check is ok, and returns the checks in order with their details', async () => {
    const detailed: HealthCheck = { name: 'queue', probe: async () => '3 workers' };
    expect(await runHealthChecks([detailed, healthy], 1_000)).toEqual({
      status: 'ok',
      checks: [
        { name: 'queue', status: 'ok', detail: '3 workers' },
        { name: 'disk', status: 'ok' },
      ],
    });
  });

  it('is failing when one check fails, and shows only error codes and HealthCheckFailure messages', async () => {
    const checks: HealthCheck[] = [
      healthy,
      { name: 'coded', probe: () => Promise.reject(Object.assign(new Error('Zenobia'), { code: 'ECONNREFUSED' })) },
      { name: 'worded', probe: () => Promise.reject(new HealthCheckFailure('the pipeline only fails')) },
      {
        name: 'sync',
        probe: () => {
          throw new Error('Zenobia');
        },
      },
    ];
    const report = await runHealthChecks(checks, 1_000);
    expect(report.status).toBe('failing');
    expect(report.checks.map(({ status, detail }) => [status, detail])).toEqual([
      ['ok', undefined],
      ['failing', 'ECONNREFUSED'],
      ['failing', 'the pipeline only fails'],
      ['failing', 'unavailable'],
    ]);
  });

  it('runs checks concurrently and fails those that exceed the timeout', async () => {
    const started: string[] = [];
    const hang = (name: string): HealthCheck => ({
      name,
      probe: () => {
        started.push(name);
        return new Promise<void>(() => undefined);
      },
    });
    const report = await runHealthChecks([hang('a'), hang('b'), healthy], 20);
    expect(started).toEqual(['a', 'b']);
    expect(report.checks.map(({ status, detail }) => [status, detail])).toEqual([
      ['failing', 'no answer within 20 ms'],
      ['failing', 'no answer within 20 ms'],
      ['ok', undefined],
    ]);
  });

  it('is ok without checks', async () => {
    expect(await runHealthChecks([], 10)).toEqual({ status: 'ok', checks: [] });
  });
});
