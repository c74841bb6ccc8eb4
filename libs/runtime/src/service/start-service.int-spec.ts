import { createTestDatabase, type TestDatabase, waitUntil } from '@annals/testing';
import { DatabaseUnavailableError } from '@annals/storage';
import { Controller, Get, Inject, Module } from '@nestjs/common';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInfrastructure, type Infrastructure } from '../infrastructure/infrastructure.js';
import { createProcessContext } from '../infrastructure/process-context.js';
import { CLOCK, CONFIG, DATABASE } from '../infrastructure/infrastructure.module.js';
import { StartFailure } from './start-failure.js';
import { type RunningService, type ServiceDefinition, startService } from './start-service.js';

@Controller('probe')
class ProbeController {
  constructor(
    @Inject(CLOCK) private readonly clock: object,
    @Inject(DATABASE) private readonly database: object,
    @Inject(CONFIG) private readonly config: { word: string },
  ) {}

  @Get()
  reportInjected() {
    return { injected: [this.clock, this.database].every((part) => part !== undefined), word: this.config.word };
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('startService', () => {
  let database: TestDatabase;
  let service: RunningService | undefined;
  const context = createProcessContext({ name: 'probe', version: '1.2.3', logLevel: 'error', processMetrics: false });

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await service?.stop('the test is over');
    service = undefined;
  });
  afterAll(() => database.drop());

  const connect = (): Promise<Infrastructure> =>
    createInfrastructure(context, {
      stores: { database: database.app, queue: database.queue },
      secretKey: 's'.repeat(32),
      relay: { releasePerTenant: 8, sweepIntervalMs: 60_000, sweepAfterMs: 60_000 },
      traced: false,
    });
  const define = (more: Partial<ServiceDefinition> = {}): ServiceDefinition => ({
    context,
    config: { word: 'given' },
    listenAddress: { host: '127.0.0.1', port: 0, portVariable: 'ANNALS_HEALTH_PORT' },
    metrics: { host: '127.0.0.1' },
    shutdownTimeoutMs: 10_000,
    connect,
    modules: [ProbeModule],
    consumes: [],
    queueNeed: 'required',
    ...more,
  });
  const start = async (more: Partial<ServiceDefinition> = {}): Promise<RunningService> => {
    service = await startService(define(more), new AbortController().signal);
    return service;
  };
  const get = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { headers });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };

  it('provides the infrastructure and the configuration to modules', async () => {
    const { url } = await start();
    expect(JSON.parse((await get(`${url}/probe`)).text)).toEqual({ injected: true, word: 'given' });
  });

  it('reports liveness and readiness', async () => {
    const { url } = await start();
    expect(await get(`${url}/health/live`)).toMatchObject({ status: 200 });
    const ready = await get(`${url}/health/ready`);
    expect(ready.status).toBe(200);
    expect(JSON.parse(ready.text)).toEqual({
      status: 'ok',
      checks: ['database', 'queue', 'pipeline'].map((name) => ({ name, status: 'ok' })),
    });
  });

  const TOKEN = 'a-token-of-the-operator';

  it('serves no metrics by default, and with a token only to it', async () => {
    const { url, stop } = await start();
    const problem = expect.stringContaining('application/problem+json') as string;
    expect(await get(`${url}/metrics`)).toMatchObject({ status: 404, type: problem });
    await stop('next');
    const closed = await start({ metrics: { host: '127.0.0.1', token: TOKEN } });
    const path = `${closed.url}/metrics`;
    for (const authorization of ['', 'Bearer another']) {
      expect(await get(path, { authorization })).toMatchObject({ status: 401, type: problem });
    }
    expect(await get(path, { authorization: `Bearer ${TOKEN}` })).toMatchObject({ status: 200 });
  });

  it('serves metrics, and nothing else, on a port of their own', async () => {
    const { url, metricsUrl, stop } = await start({ metrics: { host: '127.0.0.1', port: 0 } });
    expect(await get(`${url}/metrics`)).toMatchObject({ status: 404 });
    expect((await get(metricsUrl!)).text).toContain('memory_llm_build_info');
    expect(await get(metricsUrl!.replace('/metrics', '/health/ready'))).toMatchObject({ status: 404 });
    await stop('done');
    await expect(fetch(metricsUrl!)).rejects.toThrow('fetch failed');
  });

  it('serves metrics in the Prometheus format, read from the stores', async () => {
    const { url } = await start({ metrics: { host: '127.0.0.1', token: TOKEN } });
    const { type, text } = await get(`${url}/metrics`, { authorization: `Bearer ${TOKEN}` });
    expect(type).toMatch(/^text\/plain/);
    expect(text).toMatch(/memory_llm_build_info\{service="probe",version="1.2.3"/);
    expect(text).toMatch(/memory_llm_db_pool_connections\{state="idle"\} \d/);
    expect(text).toMatch(/memory_llm_db_pool_connections\{state="waiting"\} 0/);
    for (const queue of ['extraction', 'persistence']) expect(text).toContain(`work_due{queue="${queue}"} 0`);
  });

  it('responds with 503 while PostgreSQL is unreachable, and starts once it is reachable', async () => {
    const port = await findFreePort();
    let away = true;
    const starting = start({
      listenAddress: { host: '127.0.0.1', port, portVariable: 'ANNALS_HTTP_PORT' },
      connect: () => (away ? Promise.reject(new DatabaseUnavailableError(new Error('away'))) : connect()),
    });
    const url = `http://127.0.0.1:${port}`;
    await waitUntil(async () => (await get(`${url}/health/live`)).status === 200, {
      describe: 'the startup server responds',
    });
    expect(await get(`${url}/health/ready`)).toMatchObject({ status: 503 });
    expect(await get(`${url}/v1/anything`)).toMatchObject({ status: 503, type: 'application/problem+json' });
    away = false;
    await starting;
    expect(await get(`${url}/health/ready`)).toMatchObject({ status: 200 });
  });

  it('names the variable of the port when the port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const failing = start({ listenAddress: { host: '127.0.0.1', port, portVariable: 'ANNALS_HTTP_PORT' } });
    await expect(failing).rejects.toThrow(
      new StartFailure(`Port ${port} on 127.0.0.1 is in use. Set ANNALS_HTTP_PORT to a free port.`),
    );
    await new Promise((resolve) => other.close(resolve));
  });

  it('does not start without a worker for its queue, and closes what it opened', async () => {
    const closeStores = vi.fn(() => Promise.resolve());
    await expect(start({ consumes: ['extraction'], closeStores })).rejects.toThrow(/"extraction" has no handler/);
    expect(closeStores).toHaveBeenCalledTimes(1);
  });

  it('stops in order and only once', async () => {
    const closeStores = vi.fn(() => Promise.resolve());
    const { url, stop } = await start({ closeStores });
    expect(await Promise.all([stop('first'), stop('second')])).toEqual([true, true]);
    expect(closeStores).toHaveBeenCalledTimes(1);
    await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed');
  });
});
