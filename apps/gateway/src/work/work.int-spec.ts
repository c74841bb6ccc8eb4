import { type Problem, type Work, WORK_KINDS, type WorkOverview, type WorkPage } from '@annals/contracts';
import { claimWork, deferWork, enqueueWork, failWork } from '@annals/storage';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('background work over HTTP', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  beforeAll(async () => {
    gateway = await startGateway();
    tenantId = await gateway.makeTenant('work');
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  const now = Date.UTC(2026, 0, 5);
  let count = 0;
  /** Work that fell due in the past and was claimed once. */
  async function addWork(): Promise<string> {
    const subjectId = `00000000-0000-7000-8000-${String(++count).padStart(12, '0')}`;
    const ids = { next: () => `00000000-0000-7000-9000-${String(count).padStart(12, '0')}` };
    const work = { kind: 'vectors', subjectId } as const;
    await gateway.database.inTenant(tenantId, async (tx) => {
      await enqueueWork(tx, [{ ...work, availableAt: now, trace: null }], { now, ids });
      await claimWork(tx, { ...work, generation: 1, now, leaseMs: 1 });
    });
    return subjectId;
  }
  const fail = (subjectId: string) =>
    gateway.database.inTenant(tenantId, (tx) =>
      failWork(tx, { kind: 'vectors', subjectId, generation: 1, code: 'authentication', now }),
    );
  const list = async (query = '') => (await gateway.send<WorkPage>(key, 'GET', `/v1/admin/work${query}`)).body;

  it('lists what waits and what has failed, newest first and page by page', async () => {
    const subjects = [await addWork(), await addWork(), await addWork()];
    await fail(subjects[1]!);
    const first = await list('?kind=vectors&limit=2');
    const rest = await list(`?kind=vectors&limit=2&cursor=${first.next_cursor}`);
    const listed = [...first.items, ...rest.items];
    expect(listed.map((work) => work.subject_id)).toEqual(subjects.toReversed());
    expect(rest.next_cursor).toBeNull();
    expect(await list('?status=failed')).toMatchObject({
      items: [
        {
          kind: 'vectors',
          subject_id: subjects[1],
          user_id: null,
          status: 'failed',
          attempts: 1,
          failure_code: 'authentication',
          failed_at: new Date(now).toISOString(),
          deferred_reason: null,
        },
      ],
    });
    expect((await list('?kind=extraction')).items).toEqual([]);
  });

  it('replays failed work once, and no other', async () => {
    const subjectId = await addWork();
    await fail(subjectId);
    const { id } = (await list('?status=failed')).items.find((work) => work.subject_id === subjectId)!;
    const replay = () => gateway.send<Work>(key, 'POST', `/v1/admin/work/${id}/replay`);
    const answer = await replay();
    expect(answer).toMatchObject({ status: 202, body: { id, attempts: 0, failure_code: null, failed_at: null } });
    expect((await replay()).body as unknown as Problem).toMatchObject({ code: 'work_not_failed', status: 409 });
    const gone = await gateway.send(key, 'POST', `/v1/admin/work/${tenantId}/replay`);
    expect(gone).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('is counted over all tenants for an operator, with the reasons, and for nobody else', async () => {
    const others = await startGateway();
    try {
      const operator = await others.makeOperatorKey();
      const read = async () => (await others.send<WorkOverview>(operator, 'GET', '/v1/operator/work')).body.kinds;
      const empty = { due: 0, in_flight: 0, scheduled: 0, deferred: 0, failed: 0, reasons: [] };
      expect(await read()).toEqual(
        WORK_KINDS.map((kind) => ({ kind, ...empty, oldest_due_ms: 0, oldest_in_flight_ms: 0 })),
      );
      const tenants = [await others.makeTenant('one'), await others.makeTenant('two')];
      for (const [index, owner] of tenants.entries()) {
        await others.database.inTenant(owner, async (tx) => {
          const add = async (number: number) => {
            const subjectId = `00000000-0000-7000-8${index}00-00000000000${number}`;
            const ids = { next: () => subjectId };
            const work = { kind: 'vectors', subjectId } as const;
            await enqueueWork(tx, [{ ...work, availableAt: now, trace: null }], { now, ids });
            return { ...work, generation: 1 };
          };
          await add(1);
          await failWork(tx, { ...(await add(2)), code: 'authentication', now });
          const deferred = await add(3);
          const claim = await claimWork(tx, { ...deferred, now, leaseMs: 1_000 });
          if (claim.outcome !== 'claimed') throw new Error(`The work is ${claim.outcome}.`);
          await deferWork(tx, { ...claim, generation: 1, until: Date.UTC(2126, 0, 1), reason: 'budget_exceeded' });
        });
      }
      const vectors = (await read()).find(({ kind }) => kind === 'vectors')!;
      expect(vectors).toMatchObject({
        due: 2,
        scheduled: 2,
        deferred: 2,
        failed: 2,
        reasons: [
          { state: 'deferred', code: 'budget_exceeded', rows: 2 },
          { state: 'failed', code: 'authentication', rows: 2 },
        ],
      });
      expect(vectors.oldest_due_ms).toBeGreaterThan(0);
      const admin = await others.makeKey({ tenantId: tenants[0]! });
      expect(await others.send(admin, 'GET', '/v1/operator/work')).toMatchObject({ status: 403 });
    } finally {
      await others.close();
    }
  });

  it('belongs to administrators of the tenant', async () => {
    const query = await gateway.makeKey({ tenantId, scopes: ['query', 'ingest'] });
    expect(await gateway.send(query, 'GET', '/v1/admin/work')).toMatchObject({ status: 403 });
    const other = await gateway.makeKey({ tenantId: await gateway.makeTenant('others') });
    expect(await gateway.send(other, 'GET', '/v1/admin/work')).toMatchObject({ body: { items: [] } });
  });
});
