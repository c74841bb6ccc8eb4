import { WORK_KINDS } from '@annals/contracts';
import { claimWork, deferWork } from '@annals/storage';
import { waitUntil } from '@annals/testing';
import { QUEUE_BACKENDS, QueueUi, type Visitor } from './queue-ui.fixture.js';

interface Listed {
  readonly queues: { readonly name: string; readonly jobs: { readonly id: string }[] }[];
}

describe.each(QUEUE_BACKENDS)('the queue UI over %s', (_name, queue) => {
  let ui: QueueUi;
  let operator: Visitor;
  beforeAll(async () => {
    ui = await QueueUi.open({ queue });
    operator = await ui.logInAsOperator();
  });
  beforeEach(() => void (ui.gateway.log.length = 0));
  afterAll(() => ui.close());

  const pageOf = (kind: string, subjectId: string) => `/work/${kind}/${ui.tenantId}/${subjectId}`;
  const listJobs = async (kind: string, status: string) => {
    const { queues } = await operator.getJson<Listed>(
      `/api/queues?activeQueue=${kind}&status=${status}&page=1&jobsPerPage=50`,
    );
    return queues.find(({ name }) => name === kind)!.jobs.map(({ id }) => id);
  };

  it('shows every queue of the table', async () => {
    const { queues } = await operator.getJson<Listed>('/api/queues');
    expect(queues.map(({ name }) => name)).toEqual(WORK_KINDS);
  });

  it('retries a failed batch once, however many ask at the same time, and removes its failed job', async () => {
    const batchId = await ui.addFailedBatch();
    const page = pageOf('extraction', batchId);
    expect(await listJobs('extraction', 'failed')).toContain(`extraction-${batchId}-1`);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => operator.press(page, 'retry').catch(() => null)));
    expect(answers.filter((answer) => answer?.headers.get('location')?.endsWith('did=retry_done'))).toHaveLength(1);
    await ui.waitForState('extraction', `extraction-${batchId}-2`, 'completed');
    expect(await listJobs('extraction', 'failed')).not.toContain(`extraction-${batchId}-1`);
    expect(ui.actions().filter((outcome) => outcome === 'done')).toHaveLength(1);
    expect(ui.runs.get(`extraction-${batchId}-2`)).toBe(1);
    expect(ui.runs.get(`extraction-${batchId}-3`)).toBeUndefined();
  });

  it('changes nothing when the tenant has replayed the batch since the page was loaded', async () => {
    const batchId = await ui.addFailedBatch();
    const token = await readToken(operator, '/work');
    const key = await ui.gateway.makeKey({ tenantId: ui.tenantId });
    expect((await ui.gateway.send(key, 'POST', `/v1/batches/${batchId}/replay`)).status).toBe(202);
    await ui.waitForState('extraction', `extraction-${batchId}-2`, 'completed');
    const { headers } = await operator.submit(`${pageOf('extraction', batchId)}/retry`, { token, generation: '1' });
    expect(headers.get('location')).toMatch(/did=moved_on$/);
    expect((await operator.get(`${pageOf('extraction', batchId)}?did=moved_on`)).text).toContain('Nothing was changed');
    expect(ui.gateway.logged('queue_action')).toMatchObject([
      {
        action: 'retry',
        queue: 'extraction',
        tenantId: ui.tenantId,
        subjectId: batchId,
        generation: 1,
        outcome: 'moved_on',
      },
    ]);
    expect(ui.runs.get(`extraction-${batchId}-2`)).toBe(1);
    expect(ui.runs.get(`extraction-${batchId}-3`)).toBeUndefined();
  });

  it('leaves a later failure alone when a form names an earlier one', async () => {
    const batchId = await ui.addFailedBatch();
    ui.plan = 'fail';
    await operator.press(pageOf('extraction', batchId), 'retry');
    await ui.waitForState('extraction', `extraction-${batchId}-2`, 'failed');
    const token = await readToken(operator, '/work');
    const { headers } = await operator.submit(`${pageOf('extraction', batchId)}/retry`, { token, generation: '1' });
    expect(headers.get('location')).toMatch(/did=moved_on$/);
    ui.plan = 'succeed';
  });

  it('retries failed work of other kinds, once', async () => {
    ui.plan = 'fail';
    const { subjectId, workId } = await ui.addVectors();
    await ui.waitForState('vectors', `vectors-${workId}-1`, 'failed');
    ui.plan = 'succeed';
    const page = pageOf('vectors', subjectId);
    expect((await operator.get(page)).text).toContain('timeout');
    await Promise.all([1, 2, 3].map(() => operator.press(page, 'retry').catch(() => null)));
    await ui.waitForState('vectors', `vectors-${workId}-2`, 'completed');
    expect(ui.actions().filter((outcome) => outcome === 'done')).toHaveLength(1);
    expect(ui.runs.get(`vectors-${workId}-2`)).toBe(1);
  });

  it('promotes a job that waits for its next attempt, once, under the next generation', async () => {
    ui.plan = 'retry';
    const { subjectId, workId } = await ui.addVectors();
    await ui.waitForState('vectors', `vectors-${workId}-1`, 'delayed');
    ui.plan = 'succeed';
    const page = pageOf('vectors', subjectId);
    // An attempt can fail before the relay has marked its work as released: until then there is nothing to promote.
    await waitUntil(async () => (await operator.get(page)).text.includes('/promote"'), {
      describe: 'the work can be promoted',
    });
    await Promise.all([1, 2, 3].map(() => operator.press(page, 'promote').catch(() => null)));
    await ui.waitForState('vectors', `vectors-${workId}-2`, 'completed');
    expect(await listJobs('vectors', 'delayed')).not.toContain(`vectors-${workId}-1`);
    expect(ui.actions().filter((outcome) => outcome === 'done')).toHaveLength(1);
    expect([ui.runs.get(`vectors-${workId}-1`), ui.runs.get(`vectors-${workId}-2`)]).toEqual([1, 1]);
  });

  it('counts deferred work with its reason, and promotes it', async () => {
    const { database, infrastructure } = ui.gateway;
    const { subjectId, workId } = await ui.addVectors();
    await ui.waitForState('vectors', `vectors-${workId}-1`, 'completed');
    await database.inTenant(ui.tenantId, async (tx) => {
      const now = infrastructure.clock.now();
      const claim = await claimWork(tx, { kind: 'vectors', subjectId, generation: 1, now, leaseMs: 60_000 });
      if (claim.outcome !== 'claimed') throw new Error('The work is not there.');
      await deferWork(tx, { ...claim, generation: 1, until: now + 3_600_000, reason: 'energy' });
    });
    expect((await operator.get('/work')).text).toMatch(/data-reason="deferred vectors energy">.*?>1</s);
    expect((await operator.get(pageOf('vectors', subjectId))).text).toContain('data-state="deferred"');
    await operator.press(pageOf('vectors', subjectId), 'promote');
    await ui.waitForState('vectors', `vectors-${workId}-2`, 'completed');
    expect(ui.gateway.logged('queue_action')).toMatchObject([{ action: 'promote', generation: 2, outcome: 'done' }]);
  });

  it('counts failed work by its code, and retries all failed jobs of a queue', async () => {
    const batches = [await ui.addFailedBatch(), await ui.addFailedBatch()];
    expect((await operator.get('/work')).text).toMatch(/data-reason="failed extraction timeout">/);
    const { headers } = await operator.press('/work', '/work/extraction/retry-failed');
    expect(headers.get('location')).toMatch(/\/work\?retried=\d+$/);
    for (const batchId of batches) await ui.waitForState('extraction', `extraction-${batchId}-2`, 'completed');
    await waitUntil(async () => !(await operator.get('/work')).text.includes('data-reason="failed extraction'), {
      describe: 'no batch has failed',
    });
  });

  it('says that work is gone which is done', async () => {
    const { text } = await operator.get(pageOf('vectors', ui.tenantId));
    expect(text).toContain('data-state="none"');
  });
});

async function readToken(operator: Visitor, page: string): Promise<string> {
  const [, token] = /name="token" value="([^"]+)"/.exec((await operator.get(page)).text) ?? [];
  return token ?? (await readToken(operator, '/logout'));
}
