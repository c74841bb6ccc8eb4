import { ManualClock, SeededRng, UuidV7Generator } from '@annals/domain';
import { runHealthChecks } from '@annals/observability';
import { acceptMessages, createTenant, Database, failBatch } from '@annals/storage';
import { createTestDatabase, newMessage, newPost, type TestDatabase } from '@annals/testing';
import type { Infrastructure } from '../infrastructure/infrastructure.js';
import type { ProviderStatus } from '../model-calls/provider-monitor.js';
import { createReadinessChecks, Readiness } from './readiness.js';

const clock = new ManualClock(Date.UTC(2026, 0, 1));
const ids = new UuidV7Generator(clock, new SeededRng(3));

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = await Database.open(test.app);
});
afterAll(async () => {
  await database?.close();
  await test?.drop();
});

function check(need: 'required' | 'optional', queueBackend: { ping(): Promise<void> }) {
  const infrastructure = { database, clock, queueBackend: queueBackend as Infrastructure['queueBackend'] };
  return runHealthChecks(createReadinessChecks(infrastructure, need), 5_000);
}
function checkModels(more: Pick<Parameters<typeof createReadinessChecks>[0], 'coordination' | 'providers'>) {
  const infrastructure = { database, clock, queueBackend: queueUp as Infrastructure['queueBackend'], ...more };
  return runHealthChecks(createReadinessChecks(infrastructure, 'required'), 5_000);
}
const queueUp = { ping: async () => undefined };
const queueHangs = { ping: () => new Promise<void>(() => undefined) };
const queueDown = { ping: () => Promise.reject(new Error('unreachable')) };

async function failBatches(count: number): Promise<void> {
  const tenantId = ids.next();
  await createTenant(database, { id: tenantId, name: 'failing', now: clock.now() });
  for (let n = 0; n < count; n += 1) {
    await database.inTenant(tenantId, async (tx) => {
      const saidAt = clock.now();
      const accepted = await acceptMessages(tx, newPost([newMessage('hi', saidAt)], clock.now(), { userId: 'u' }), ids);
      const batchId = accepted.batchIds[0]!;
      await failBatch(tx, {
        batchId,
        kind: 'extraction',
        generation: 1,
        code: 'transient',
        message: 'Try again.',
        now: clock.now(),
      });
    });
  }
}

describe('readiness', () => {
  it('fails for a worker when its queue is unreachable, and passes for the gateway with a detail', async () => {
    expect(await check('required', queueUp)).toMatchObject({ status: 'ok' });
    expect(await check('required', queueDown)).toMatchObject({ status: 'failing' });
    expect(await check('required', queueHangs)).toMatchObject({ status: 'failing' });
    const hanging = { database, clock, queueBackend: queueHangs as Infrastructure['queueBackend'] };
    expect(await new Readiness(createReadinessChecks(hanging, 'optional')).check()).toMatchObject({ status: 'ok' });
    const gateway = await check('optional', queueDown);
    expect(gateway.status).toBe('ok');
    expect(gateway.checks.find(({ name }) => name === 'queue')?.detail).toMatch(/outbox/);
  });

  it('reports unusable models without failing, since their work waits', async () => {
    const statuses: ProviderStatus[] = [
      { provider: 'claude', model: 'haiku', usable: false, problem: 'Correct the key.', seenAt: 0 },
      { provider: 'openai', model: 'luna', usable: undefined, problem: undefined, seenAt: undefined },
    ];
    const report = await checkModels({
      coordination: { ping: () => Promise.reject(new Error('unreachable')) },
      providers: { statuses },
    });
    expect(report.status).toBe('ok');
    expect(report.checks.slice(3)).toEqual([
      { name: 'coordination', status: 'ok', detail: expect.stringMatching(/model calls wait/) },
      { name: 'provider claude', status: 'ok', detail: 'Correct the key.' },
      { name: 'provider openai', status: 'ok' },
    ]);
  });

  it('fails for a worker when every batch fails, and passes for the gateway with a detail', async () => {
    await failBatches(5);
    const worker = await check('required', queueUp);
    expect(worker.checks.find(({ name }) => name === 'pipeline')).toMatchObject({ status: 'failing' });
    const gateway = await check('optional', queueUp);
    expect(gateway.status).toBe('ok');
    expect(gateway.checks.find(({ name }) => name === 'pipeline')?.detail).toMatch(/all 5 batches/);
    clock.advance(6 * 60_000);
    expect(await check('required', queueUp)).toMatchObject({ status: 'ok' });
  });
});
