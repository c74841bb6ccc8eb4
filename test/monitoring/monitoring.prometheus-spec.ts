import {
  ApiClient,
  FakeModelsProcess,
  type OpenAiChatServer,
  type PrivateServersSystem,
  ScrapingPrometheus,
  startOpenAiChatServer,
  startOnPrivateServers,
  waitUntil,
  WEBHOOK_VARIABLES,
  WebhookReceiver,
} from '@annals/testing';
import { Redis } from 'ioredis';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listAlerts } from '../../tools/monitoring/src/alerts/alert-cases.fixture.ts';
import type { AlertName } from '../../tools/monitoring/src/alerts/alerts.ts';
import { DASHBOARDS } from '../../tools/monitoring/src/dashboards/dashboards.ts';
import { chooseFakeModels } from '../faults/model-variables.js';
import { MixedUse } from './mixed-use.fixture.js';

/** Expression and title. A metric that is shown twice is queried once. */
const EXPRESSIONS: readonly (readonly [expression: string, title: string])[] = [
  ...Object.values(DASHBOARDS).flatMap(({ title, panels }) =>
    panels.flatMap((panel) =>
      panel.queries.map(
        ({ expr, legend }) =>
          [expr.replaceAll('$__rate_interval', '60s'), `${title}: ${panel.title} (${legend})`] as const,
      ),
    ),
  ),
  ...listAlerts().map(([name, { value }]) => [value.replaceAll(/ offset \w+/g, ''), name] as const),
];

/** Counters that are there as zero from the start: what is written to the vault, forgotten and erased moves them. */
const MOVED = [
  'memory_llm_vault_files_total{outcome="written"}',
  'memory_llm_vault_files_total{outcome="removed"}',
  'memory_llm_vault_commits_total',
  'memory_llm_vault_rewrites_total',
  'memory_llm_vault_erasures_total',
].map((metric) => [`${metric} > 0`, `a value of ${metric} above 0`] as const);

describe('monitoring of a running system', () => {
  let models: FakeModelsProcess;
  let upstream: OpenAiChatServer;
  let system: PrivateServersSystem;
  let prometheus: ScrapingPrometheus;
  let use: MixedUse;
  let receiver: WebhookReceiver;
  let vault: string;

  beforeAll(async () => {
    vault = mkdtempSync(path.join(tmpdir(), 'annals-vault-'));
    [models, upstream, receiver] = await Promise.all([
      FakeModelsProcess.start(),
      startOpenAiChatServer(),
      WebhookReceiver.start(),
    ]);
    const env = chooseFakeModels(models, {
      ...WEBHOOK_VARIABLES,
      ANNALS_MINDS: 'on',
      ANNALS_VAULT_PATH: vault,
      // An erased user's folder is removed once no worker can be writing it.
      ANNALS_LEASE_MS: '5000',
      ANNALS_CHAT_UPSTREAM_URL: upstream.origin,
      ANNALS_CHAT_UPSTREAM_FREE: 'true',
      ANNALS_RATE_LIMIT_PER_MINUTE: '100000',
      // A maintenance job that ends while Prometheus looks.
      ANNALS_RETENTION_INTERVAL_MS: '2000',
      MEMORY_LLM_CIRCUIT_MIN_ATTEMPTS: '5',
    });
    system = await startOnPrivateServers({ env, minds: 1 });
    prometheus = await ScrapingPrometheus.start(system.processes);
    use = new MixedUse(system, receiver.url, vault);
  });
  afterAll(async () => {
    await system?.close();
    await Promise.all([prometheus?.stop(), models?.stop(), upstream?.close(), receiver?.close()]);
    rmSync(vault, { recursive: true, force: true });
  });

  it('returns data for every expression of every panel, and of every alert without its comparison', async () => {
    await models.misbehave({ rate: 0.2, seed: 3 });
    const missing = new Map<string, string>([...EXPRESSIONS, ...MOVED]);
    const allSeen = waitUntil(
      async () => {
        for (const expression of missing.keys()) {
          const samples = await prometheus.query(expression);
          if (samples.some(({ value }) => Number.isFinite(value))) missing.delete(expression);
        }
        return missing.size === 0;
      },
      { describe: 'every expression returns data', intervalMs: 1_000, timeoutMs: 540_000 },
    );
    // Without use there is nothing to see, so its failure is the better message.
    await Promise.race([allSeen.catch(() => undefined), use.running]);
    expect([...missing.values()]).toEqual([]);
    await models.misbehave(undefined);
    await use.stop();
  });

  describe('alerts', () => {
    const fires = (name: AlertName) =>
      waitUntil(async () => (await prometheus.listFiring()).includes(name), { describe: `${name} fires` });
    const ends = (name: AlertName) =>
      waitUntil(async () => !(await prometheus.listFiring()).includes(name), { describe: `${name} ends` });

    it('fire when a process dies, until it runs again', async () => {
      const [worker] = system.processesOf('persistence');
      await worker!.kill9();
      await fires('AnnalsProcessDown');
      await worker!.start();
      await ends('AnnalsProcessDown');
    });

    it('fire while Redis may evict keys', async () => {
      const redis = new Redis(system.redisUrl);
      try {
        expect(await prometheus.listFiring()).not.toContain('AnnalsRedisEvictsKeys');
        await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
        await fires('AnnalsRedisEvictsKeys');
        await redis.config('SET', 'maxmemory-policy', 'noeviction');
        await ends('AnnalsRedisEvictsKeys');
      } finally {
        redis.disconnect();
      }
    });

    it('fire when PostgreSQL drops connections', async () => {
      expect(await prometheus.listFiring()).not.toContain('AnnalsDatabaseConnectionsLost');
      await system.postgres.restart();
      await fires('AnnalsDatabaseConnectionsLost');
    });

    it('fire while the circuit breaker of a provider is open', async () => {
      expect(await prometheus.listFiring()).not.toContain('AnnalsCircuitOpen');
      await models.outage({ kind: 'error', status: 500 });
      const client = new ApiClient(() => system.nextUrl(), system.tenantKey);
      for (let turn = 0; turn < 10; turn += 1) {
        const messages = [{ role: 'user' as const, content: `I have ${turn + 2} cats and a garden.` }];
        await client.must('postConversation', {
          body: { user_id: `cat-${turn}`, thread_id: 'pets', flush: true, messages },
        });
      }
      await fires('AnnalsCircuitOpen');
      await models.outage(false);
    });

    it('fire when the budget of the day is spent', async () => {
      const operator = new ApiClient(() => system.nextUrl(), system.operatorKey);
      await operator.must('putDeploymentBudgets', { body: { deployment: 1 } });
      await fires('AnnalsBudget100');
      expect(await prometheus.listFiring()).toEqual(expect.arrayContaining(['AnnalsBudget70', 'AnnalsBudget90']));
    });
  });
});
