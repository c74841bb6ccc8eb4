import { createBullBoard } from '@bull-board/api';
import type { AppControllerRoute, IServerAdapter } from '@bull-board/api/typings/app';
import { QUEUE_BACKENDS, QueueUi, type Visitor } from './queue-ui.fixture.js';

/** Words that somebody put into jobs by mistake, one for each place. */
const WORDS = {
  id: 'plantedid',
  name: 'plantedname',
  data: 'planteddata',
  extra: 'plantedextra',
  log: 'plantedlog',
  progress: 'plantedprogress',
  result: 'plantedresult',
  reason: 'plantedreason for Ada Lovelace',
  stack: 'plantedstack',
  option: 'plantedoption',
};

describe.each(QUEUE_BACKENDS)('what the queue UI shows of jobs over %s', (_name, queue) => {
  let ui: QueueUi;
  let operator: Visitor;
  beforeAll(async () => {
    ui = await QueueUi.open({ queue });
    operator = await ui.logInAsOperator();
  });
  afterAll(() => ui.close());

  it('are ids, times and codes, whatever somebody has put into the queue', async () => {
    const { bull } = ui.queues.summary;
    const backend = ui.gateway.infrastructure.queueBackend;
    const payload = { tenantId: ui.tenantId, subjectId: ui.tenantId, workId: ui.tenantId, generation: 1 };
    const own = `summary-${ui.tenantId}-1`;
    const other = `summary-${ui.tenantId}-2`;
    const done = `summary-${ui.tenantId}-3`;
    const options = { stackTraceLimit: 5, telemetry: { metadata: WORDS.option }, attempts: 1 };
    await bull.add('summarize-conversation', { ...payload, text: WORDS.extra }, { jobId: own, ...options });
    await bull.add(WORDS.name, { text: WORDS.data }, { jobId: other, ...options });
    await bull.add('summarize-conversation', payload, { jobId: done, ...options });
    await bull.add('summarize-conversation', payload, { jobId: WORDS.id, ...options });
    const worker = backend.createWorker(
      'summary',
      (async (job: {
        id?: string;
        log(row: string): Promise<number>;
        updateProgress(value: object): Promise<void>;
      }) => {
        await job.log(WORDS.log);
        await job.updateProgress({ text: WORDS.progress });
        if (job.id === done) return { text: WORDS.result };
        throw Object.assign(new Error(WORDS.reason), { stack: `Error: x\n    at ${WORDS.stack} (file:1)` });
      }) as never,
      {},
    );
    void worker.run();
    for (const id of [own, other, WORDS.id]) await ui.waitForState('summary', id, 'failed');
    await ui.waitForState('summary', done, 'completed');
    await worker.close();
    const stored = JSON.stringify(await Promise.all([own, other, done, WORDS.id].map((id) => bull.getJob(id))));
    for (const place of ['data', 'extra', 'name', 'progress', 'result', 'reason'] as const)
      expect(stored).toContain(WORDS[place]);

    const pages = ['latest', 'failed', 'completed'].map(
      (status) => `/api/queues?activeQueue=summary&status=${status}&page=1&jobsPerPage=50`,
    );
    for (const id of [own, other, done, WORDS.id])
      pages.push(...['', '/logs', '/flow'].map((part) => `/api/queues/summary/${id}${part}`), `/queue/summary/${id}`);
    pages.push('/work', `/work/summary/${ui.tenantId}/${ui.tenantId}`, '/queue/summary', '/api/job-schedulers');
    const texts = await Promise.all(pages.map(async (page) => (await operator.get(page)).text));
    expect(texts[0]).toContain(own);
    expect(texts[0]).toContain(other);
    // The path of a request is not echoed: only /flow names the job that was asked for, by the caller's own words.
    const shown = texts.filter((_, index) => !pages[index]!.endsWith(`${WORDS.id}/flow`)).join('\n');
    for (const word of Object.values(WORDS)) expect(shown).not.toContain(word);
    expect(shown).not.toContain('Lovelace');
  });

  it('cannot be changed by any route that Bull Board has', async () => {
    const batchId = await ui.addFailedBatch();
    const changes = listBoardRoutes().filter(({ method }) => method !== 'get');
    expect(changes.length).toBeGreaterThan(15);
    for (const { method, route } of changes) {
      const path = String(route)
        .replace(':queueName', 'extraction')
        .replace(':jobId', `extraction-${batchId}-1`)
        .replace(':queueStatus', 'failed');
      const { status } = await operator
        .with({ 'sec-fetch-site': 'same-origin' })
        .send(String(method).toUpperCase(), path);
      expect([path, status]).toEqual([path, 403]);
    }
    await ui.waitForState('extraction', `extraction-${batchId}-1`, 'failed');
    expect(ui.runs.get(`extraction-${batchId}-1`)).toBe(1);
  });

  it('come from the allowed routes only', async () => {
    const allowed = ['/api/queues', '/api/job-schedulers'];
    for (const { method, route } of listBoardRoutes()) {
      if (method !== 'get' || String(route).includes(':jobId')) continue;
      const { status } = await operator.get(String(route).replace(':queueName', 'extraction'));
      expect([route, status]).toEqual([route, allowed.includes(String(route)) ? 200 : 404]);
    }
  });
});

/** What Bull Board would bind to a web framework. */
function listBoardRoutes(): AppControllerRoute[] {
  let routes: AppControllerRoute[] = [];
  const adapter: IServerAdapter = new Proxy({} as IServerAdapter, {
    get: (_target, name) => (given: unknown) => {
      if (name === 'setApiRoutes') routes = given as AppControllerRoute[];
      return adapter;
    },
  });
  createBullBoard({ queues: [], serverAdapter: adapter, options: { uiBasePath: '.', uiConfig: {} } });
  return routes;
}
