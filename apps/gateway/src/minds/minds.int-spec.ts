import type { Energy, MindRunPage } from '@annals/contracts';
import {
  addMindRunCosts,
  claimWork,
  deferWork,
  drawEnergy,
  endMindRun,
  enqueueWork,
  startMindRun,
  type Tx,
} from '@annals/storage';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const LIMITS = { capacity: 500, refillPerHour: 50 };

describe('minds over HTTP', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  let otherKey: string;

  beforeAll(async () => {
    gateway = await startGateway({
      env: { ANNALS_MINDS: 'on', ANNALS_ENERGY_CAPACITY: '500', ANNALS_ENERGY_REFILL_PER_HOUR: '50' },
    });
    tenantId = await gateway.makeTenant('minds');
    key = await gateway.makeKey({ tenantId });
    otherKey = await gateway.makeKey({ tenantId: await gateway.makeTenant('others') });
  });
  afterAll(() => gateway.close());

  const now = () => gateway.infrastructure.clock.now();
  const newId = () => gateway.infrastructure.ids.next();
  const inTenant = <T>(work: (tx: Tx) => Promise<T>) => gateway.database.inTenant(tenantId, work);
  const readEnergy = async (by = key) => (await gateway.send<Energy>(by, 'GET', '/v1/usage/energy')).body;
  const listRuns = async (query = '', by = key) =>
    (await gateway.send<MindRunPage>(by, 'GET', `/v1/admin/minds/runs${query}`)).body;

  it('tell what is left, what was drawn, also since the last poll of a key, and what waits', async () => {
    const full = { level: 500, capacity: 500, percent: 100, refill_per_hour: 50, waiting_below: 100 };
    const unpolled = { today: [], waiting: [], since_last_poll: { consumed: 0, since: null } };
    expect(await readEnergy()).toEqual({ ...full, ...unpolled });
    const until = now() + 3_600_000;
    const subjectId = newId();
    await inTenant(async (tx) => {
      await drawEnergy(tx, { kind: 'consolidation', units: 20, now: now(), limits: LIMITS });
      const work = { kind: 'insights', subjectId } as const;
      await enqueueWork(tx, [{ ...work, availableAt: now(), trace: null }], { now: now(), ids: { next: newId } });
      const claim = await claimWork(tx, { ...work, generation: 1, now: now(), leaseMs: 1_000 });
      if (claim.outcome !== 'claimed') throw new Error(`The work is ${claim.outcome}.`);
      await deferWork(tx, { ...claim, generation: 1, until, reason: 'energy' });
    });
    const read = await readEnergy();
    expect(read.level).toBeGreaterThanOrEqual(480);
    expect(read.level).toBeLessThan(500);
    expect(read).toMatchObject({
      today: [{ kind: 'consolidation', consumed: 20, calls: 1 }],
      since_last_poll: { consumed: 20, since: expect.any(String) as unknown },
      waiting: [{ kind: 'insights', reason: 'energy', work: 1, until: new Date(until).toISOString() }],
    });
    expect((await readEnergy()).since_last_poll.consumed).toBe(0);
    const second = await gateway.makeKey({ tenantId });
    expect((await readEnergy(second)).since_last_poll).toEqual({ consumed: 20, since: null });
    expect(await readEnergy(otherKey)).toEqual({ ...full, ...unpolled });
  });

  it('list their runs in numbers, newest first, by kind, state and user', async () => {
    const ids = [newId(), newId(), newId()];
    const subjectId = newId();
    await inTenant(async (tx) => {
      await tx.execute(`INSERT INTO users (user_id, created_at) VALUES ('ada', now())`);
      for (const [index, id] of ids.entries()) {
        const kind = index === 2 ? ('summary' as const) : ('insights' as const);
        const start = { id, kind, subjectId, trigger: 'batch', isDryRun: false, startedAt: now() } as const;
        await startMindRun(tx, { ...start, userId: index === 0 ? null : 'ada' });
      }
      const costs = { calls: 2, energyMilli: 16_000, inputTokens: 900, outputTokens: 50, costMicroUsd: 77 };
      await addMindRunCosts(tx, ids[1]!, costs);
      await endMindRun(tx, { id: ids[1]!, state: 'done', watermark: '7', counts: { kept: 2 }, endedAt: now() });
    });
    const first = await listRuns('?limit=2');
    const rest = await listRuns(`?limit=2&cursor=${first.next_cursor}`);
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(ids.toReversed());
    expect(rest.next_cursor).toBeNull();
    expect((await listRuns('?kind=summary')).items.map(({ id }) => id)).toEqual([ids[2]]);
    expect((await listRuns('?user_id=ada')).items).toHaveLength(2);
    expect((await listRuns('?state=done')).items).toEqual([
      {
        id: ids[1],
        kind: 'insights',
        subject_id: subjectId,
        user_id: 'ada',
        trigger: 'batch',
        dry_run: false,
        state: 'done',
        counts: { kept: 2 },
        calls: 2,
        energy: 16,
        tokens: { input: 900, output: 50 },
        cost_micro_usd: 77,
        failure_code: null,
        started_at: expect.any(String) as unknown,
        ended_at: expect.any(String) as unknown,
      },
    ]);
    expect((await listRuns('', otherKey)).items).toEqual([]);
    const headers = { authorization: `Bearer ${key}` };
    const exported = await (await fetch(`${gateway.url}/v1/users/ada/export`, { headers })).text();
    const lines = exported.split('\n').filter((line) => line.includes('"kind":"mind_run"'));
    expect(lines.map((line) => ids.filter((id) => line.includes(id)))).toEqual([[ids[1]], [ids[2]]]);
  });

  it('are for keys of the whole tenant that may administrate it', async () => {
    for (const path of ['/v1/usage/energy', '/v1/admin/minds/runs']) {
      const reader = await gateway.makeKey({ tenantId, scopes: ['query'] });
      const bound = await gateway.makeKey({ tenantId, userId: 'ada' });
      for (const by of [reader, bound]) expect(await gateway.send(by, 'GET', path)).toMatchObject({ status: 403 });
    }
    expect(await gateway.send(key, 'GET', '/v1/admin/minds/runs?kind=dreams')).toMatchObject({ status: 400 });
  });
});
