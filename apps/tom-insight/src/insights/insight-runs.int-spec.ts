import { enqueueWork } from '@annals/storage';
import {
  createTestDatabase,
  type FakeModels,
  loseConnection,
  startFakeModels,
  type TestDatabase,
  waitUntil,
} from '@annals/testing';
import { describeModel, HOUR_MS, TomInsightService } from './tom-insight-service.fixture.js';

const DAY_MS = 24 * HOUR_MS;
const SHORT = 'The user prefers bare totals.';

interface Answered {
  readonly summary?: string;
  readonly evidence?: readonly string[];
  readonly [field: string]: unknown;
}
const insight = (fields: Answered = {}) => ({
  summary: SHORT,
  tags: ['style'],
  confidence: 0.6,
  evidence: ['m1'],
  field: null,
  value: null,
  ...fields,
});
const answer = (...insights: readonly object[]) => JSON.stringify({ insights });

describe('runs of insights', () => {
  let database: TestDatabase;
  let models: FakeModels;
  let service: TomInsightService;
  let users = 0;
  let user: string;
  let onAsk: () => string | Promise<string>;

  beforeAll(async () => {
    models = await startFakeModels({ answer: () => onAsk() });
    database = await createTestDatabase();
    service = await TomInsightService.start(database, describeModel(models));
  });
  beforeEach(() => {
    user = `user-${(users += 1)}`;
    onAsk = () => answer(insight());
    models.journal.clear();
  });
  afterAll(async () => {
    await service?.stop();
    await models?.close();
    await database?.drop();
  });

  const calls = () => models.journal.generated.map(({ request }) => request);
  /** One batch, and the run that it asks for. */
  const think = async (content = 'Just the total.', more = {}) => {
    const before = (await service.listRuns(user)).length;
    await service.speak(user, content, more);
    await service.waitForRuns(user, before + 1);
    await service.waitUntilQuiet(user);
  };

  it.each(['before', 'behind'] as const)('are counted once when the connection is lost %s the commit', async (when) => {
    const { database: stores, metrics } = service.running.infrastructure;
    const count = async () => {
      const { body } = await metrics.render();
      return Number(/^memory_llm_insights_total\{outcome="created"\} (\d+)$/mu.exec(body)?.[1] ?? 0);
    };
    const before = await count();
    const lossy = loseConnection(stores.inTenant.bind(stores), when, 'INSERT INTO insights');
    Object.assign(stores, { inTenant: lossy.inTenant });
    try {
      await think();
    } finally {
      Reflect.deleteProperty(stores, 'inTenant');
    }
    expect(lossy.wasLost()).toBe(true);
    const [run] = await service.listRuns(user);
    expect(run).toMatchObject({ state: 'done', calls: 1, counts: { created: 1 } });
    // Behind the commit that ends the run.
    await waitUntil(async () => (await count()) > before, { describe: 'the insight is counted' });
    expect(await count()).toBe(before + 1);
    const lines = service.lines.filter((line) => line.includes('insights_inferred') && line.includes(run!.id));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { context: { created: 1, known: 0, context: 0 } },
    ]);
  });

  it('wait until a day has passed since the last run, in one row, and then see everything new', async () => {
    await think();
    await service.speak(user, 'Numbers only.');
    await service.speak(user, 'No prose please.');
    await service.waitUntilQuiet(user);
    const [run] = await service.listRuns(user);
    expect(calls()).toHaveLength(1);
    const waiting = await service.findWork(user);
    expect(waiting).toMatchObject({ status: 'deferred', deferred_reason: 'not_due' });
    expect(Date.parse(waiting!.due_at)).toBe(Date.parse(run!.ended_at!) + DAY_MS);
    onAsk = () => answer(insight({ summary: 'The user wants no stories.', evidence: ['m2', 'm3'] }));
    service.advance(DAY_MS);
    await service.waitForRuns(user, 2);
    expect(calls()).toHaveLength(2);
    expect(calls()[1]!.userTexts.join('')).toMatch(/Numbers only\.[^]*No prose please\./u);
  });

  it('read in the next run a message that was accepted before the last one and indexed behind it', async () => {
    const batchId = await service.post(user, 'Numbers only.');
    await think();
    service.advance(DAY_MS);
    await service.finish(user, batchId);
    await service.waitForRuns(user, 2);
    const read = calls().map(({ userTexts }) => userTexts.join('').includes('Numbers only.'));
    expect(read).toEqual([false, true]);
  });

  it('are asked for by the index of a batch that was written before it, with no other batch', async () => {
    const batchId = await service.post(user, 'Numbers only.');
    await service.finish(user, batchId, undefined, false);
    await service.waitForRuns(user, 1);
    await service.waitUntilQuiet(user);
    expect(await service.findWork(user)).toBeUndefined();
    await service.index(batchId);
    await service.waitUntilQuiet(user);
    service.advance(DAY_MS);
    await service.waitForRuns(user, 2);
    expect(calls().map(({ userTexts }) => userTexts.join('').includes('Numbers only.'))).toEqual([true]);
  });

  it('read in the next run what was stated while the last one asked its model', async () => {
    onAsk = async () => {
      onAsk = () => answer(insight({ summary: 'The user reads at night.', evidence: ['k1'] }));
      await service.state(user, 'The user reads on a phone.');
      return answer(insight());
    };
    await think();
    await service.speak(user, 'Just the total, again.');
    await service.waitUntilQuiet(user);
    service.advance(DAY_MS);
    await service.waitForRuns(user, 2);
    expect(calls().map(({ userTexts }) => userTexts.join('').includes('on a phone'))).toEqual([false, true]);
  });

  it('are not asked for again when nothing has changed', async () => {
    await think();
    service.advance(2 * DAY_MS);
    const { relay, ids, clock } = service.running.infrastructure;
    const [row] = await service.inTenant((tx) =>
      tx.query<{ subject_id: string }>('SELECT subject_id FROM users WHERE user_id = $1', [user]),
    );
    const request = { kind: 'insights', subjectId: row!.subject_id, availableAt: clock.now(), trace: null } as const;
    await service.inTenant((tx) => enqueueWork(tx, [request], { now: clock.now(), ids }));
    relay.kick();
    await service.waitUntilQuiet(user);
    expect(await service.findWork(user)).toBeUndefined();
    expect([calls().length, (await service.listRuns(user)).length]).toEqual([1, 1]);
  });
});
