import { queues as definitions, type WorkJob, type WorkKind } from '@annals/contracts';
import type { QueueBackend, QueueBackendConfig, WorkQueues } from '@annals/messaging';
import { claimBatch, claimWork, enqueueWork, failBatch, failWork } from '@annals/storage';
import { type TestDatabase, waitUntil } from '@annals/testing';
import { startGateway, type TestGateway, type TestGatewayOptions } from '../fixtures/start-gateway.fixture.js';

/** The queue of this profile, and PostgreSQL's on every one. */
export const QUEUE_BACKENDS: [name: string, (database: TestDatabase) => QueueBackendConfig][] = [
  ['the queue of this profile', ({ queue }) => queue],
  ['PostgreSQL', ({ admin }) => ({ kind: 'postgres', pool: { connectionString: admin.url } })],
];

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What a worker does with a job: `fail` for good, `retry` later, or nothing more. */
type Plan = 'fail' | 'retry' | 'succeed';

/** A gateway with queues, workers that do as they are told, and a browser without a screen. */
export class QueueUi {
  /** How often each job was handled, by its id. */
  readonly runs = new Map<string, number>();
  plan: Plan = 'succeed';
  private count = 0;
  private closing: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly gateway: TestGateway,
    readonly tenantId: string,
  ) {}

  static async open(options: TestGatewayOptions): Promise<QueueUi> {
    const gateway = await startGateway(options);
    const ui = new QueueUi(gateway, await gateway.makeTenant('acme'));
    if (options.queue) for (const kind of ['extraction', 'vectors'] as const) ui.work(kind);
    return ui;
  }

  get queues(): WorkQueues {
    return this.gateway.infrastructure.queues;
  }

  /** Logs in; returns what sends requests of that session. */
  async logIn(key: string): Promise<Visitor> {
    const visitor = new Visitor(this.gateway.url);
    const { status, headers } = await visitor.submit('/login', { key });
    if (status !== 303) throw new Error(`The login was answered with ${status}.`);
    const [cookie] = headers.get('set-cookie')!.split(';');
    return visitor.with({ cookie: cookie! });
  }

  async logInAsOperator(): Promise<Visitor> {
    return this.logIn(await this.gateway.makeOperatorKey());
  }

  /** Messages whose batch has failed, with its job. */
  async addFailedBatch(): Promise<string> {
    this.plan = 'fail';
    const key = await this.gateway.makeKey({ tenantId: this.tenantId });
    const thread_id = `thread-${++this.count}`;
    const messages = [{ role: 'user', content: 'I like tea.' }];
    const { body } = await this.gateway.send<{ batch_ids: string[] }>(key, 'POST', '/v1/conversations', {
      body: { user_id: 'ada', thread_id, messages, flush: true },
    });
    const batchId = body.batch_ids[0]!;
    await this.waitForState('extraction', `extraction-${batchId}-1`, 'failed');
    this.plan = 'succeed';
    return batchId;
  }

  /** Asks for work about somebody; what happens to it is up to `plan`. */
  async addVectors(): Promise<WorkJob & { workId: string }> {
    const subjectId = `00000000-0000-7000-8000-${String(++this.count).padStart(12, '0')}`;
    const { clock, ids, relay } = this.gateway.infrastructure;
    const now = clock.now();
    const work = { kind: 'vectors', subjectId, availableAt: now, trace: null } as const;
    const workId = await this.gateway.database.inTenant(this.tenantId, async (tx) => {
      await enqueueWork(tx, [work], { now, ids });
      const [row] = await tx.query<{ id: string }>('SELECT id FROM work WHERE subject_id = $1', [subjectId]);
      return row!.id;
    });
    relay.kick();
    return { tenantId: this.tenantId, subjectId, workId, generation: 1 };
  }

  waitForState(kind: WorkKind, jobId: string, state: string): Promise<unknown> {
    return waitUntil(async () => (await this.queues[kind].readStates([jobId])).get(jobId) === state, {
      describe: `${jobId} is ${state}`,
    });
  }

  /** Outcomes of the actions that were audited. */
  actions(): unknown[] {
    return this.gateway.logged('queue_action').map((line) => (line as { outcome: string }).outcome);
  }

  async close(): Promise<void> {
    await Promise.all(this.closing.map((close) => close()));
    await this.gateway.close();
  }

  private work(kind: 'extraction' | 'vectors'): void {
    const backend: QueueBackend = this.gateway.infrastructure.queueBackend;
    const worker = backend.createWorker(
      kind,
      async ({ id = '', data }) => {
        this.runs.set(id, (this.runs.get(id) ?? 0) + 1);
        if (this.plan === 'fail') await this.fail(kind, definitions[kind].payload.parse(data));
        if (this.plan !== 'succeed') {
          const name = this.plan === 'fail' ? 'UnrecoverableError' : 'FailedAttempt';
          throw Object.assign(new Error('timeout'), { name, stack: '' });
        }
      },
      // So that an attempt that failed waits for the next one until a spec promotes it.
      { settings: { backoffStrategy: () => 3_600_000 } },
    );
    void worker.run();
    this.closing.push(() => worker.close());
  }

  /** As a worker does whose last attempt has failed. */
  private async fail(kind: 'extraction' | 'vectors', { subjectId, generation }: WorkJob): Promise<void> {
    const now = this.gateway.infrastructure.clock.now();
    await this.gateway.database.inTenant(this.tenantId, async (tx) => {
      if (kind === 'extraction') {
        const failure = { batchId: subjectId, kind, generation, code: 'timeout', message: 'No.', now };
        await claimBatch(tx, { kind, batchId: subjectId, generation, now, leaseMs: 1 });
        await failBatch(tx, failure);
        return;
      }
      await claimWork(tx, { kind, subjectId, generation, now, leaseMs: 1 });
      await failWork(tx, { kind, subjectId, generation, code: 'timeout', now });
    });
  }
}

/** Sends requests to the queue UI as a browser does: with a cookie, and saying which page they come from. */
export class Visitor {
  constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  with(headers: Readonly<Record<string, string>>): Visitor {
    return new Visitor(this.url, { ...this.headers, ...headers });
  }

  get(path: string): Promise<Page> {
    return this.send('GET', path);
  }

  async getJson<T>(path: string): Promise<T> {
    return JSON.parse((await this.get(path)).text) as T;
  }

  /** Sends a form, from a page of the UI unless other headers say otherwise. */
  submit(path: string, form: Readonly<Record<string, string>>, headers = {}): Promise<Page> {
    const sent = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded', ...headers };
    return this.with(sent).send('POST', path, new URLSearchParams(form).toString());
  }

  /** Presses the button of the form that a page has for an action. */
  async press(page: string, action: string): Promise<Page> {
    const { text } = await this.get(page);
    const [, path, inputs] =
      new RegExp(`<form method="post" action="/admin/queues([^"]*${action})">(.*?)</form>`, 's').exec(text) ?? [];
    if (path === undefined) throw new Error(`${page} has no form for ${action}.`);
    const fields = Array.from(inputs!.matchAll(/name="(\w+)" value="([^"]*)"/g), ([, name, value]) => [name!, value!]);
    return this.submit(path, Object.fromEntries(fields) as Record<string, string>);
  }

  async send(method: string, path: string, body?: string): Promise<Page> {
    const { headers } = this;
    const response = await fetch(`${this.url}/admin/queues${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}
