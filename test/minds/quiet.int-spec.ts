import { MAX_MIND_FAILURES } from '@annals/domain';
import {
  createTestDatabase,
  type FakeModels,
  parseMind,
  ShiftedClock,
  sized,
  startFakeModels,
  type TestDatabase,
} from '@annals/testing';
import { describeModel, DrivenSystem } from './driven-system.fixture.js';
import { WriteLog } from './write-log.fixture.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS = sized(4, 1) * HOUR_MS;
const KINDS = ['insights', 'consolidation', 'summary'] as const;
/** A pair that a model has to decide about. */
const PAIR = ['The user is allergic to peanuts.', 'The user has a peanut allergy.'];
const SAID = ['Porto', 'Oslo', 'Ghent', 'Turin', 'Riga', 'Lyon'].map(
  (place) => `I spent a week in ${place} with my neighbour and brought home a small painted box for the kitchen.`,
);

describe('minds that have nothing to do', () => {
  const clock = new ShiftedClock();
  let database: TestDatabase;
  let models: FakeModels;
  let system: DrivenSystem;
  let isFailing = false;

  const start = () => DrivenSystem.start(database, { clock, env: describeModel(models) });
  beforeAll(async () => {
    database = await createTestDatabase();
    models = await startFakeModels();
    models.behave((request) => (isFailing && parseMind(request) !== null ? { kind: 'error', status: 500 } : undefined));
    system = await start();
  });
  afterAll(async () => {
    await system?.stop();
    await models?.close();
    await database?.drop();
  });

  /** A conversation with its memories: each mind has something to do about the user. */
  const tell = async (userId: string) => {
    await system.remember(userId, PAIR);
    await system.tell(userId, `thread of ${userId}`, SAID);
    await system.waitUntilQuiet();
  };
  const countCalls = () => {
    const asked = models.journal.generated.map(({ request }) => parseMind(request));
    return Object.fromEntries(KINDS.map((kind) => [kind, asked.filter((mind) => mind === kind).length]));
  };
  const readRuns = () => system.query('SELECT id, kind, state, calls, ended_at FROM mind_runs ORDER BY started_at, id');

  it('call no model and write no row in 24 hours, but for the schedule of maintenance', async () => {
    for (const userId of ['ana', 'ben']) await tell(userId);
    await system.pass(3 * DAY_MS, STEP_MS);
    const [calls, runs] = [models.journal.entries.length, await readRuns()];
    expect(Object.values(countCalls()).every((count) => count >= 2)).toBe(true);
    const log = await WriteLog.install(system);
    await system.pass(DAY_MS, sized(HOUR_MS, HOUR_MS / 4));
    expect(models.journal.entries.length).toBe(calls);
    expect(await readRuns()).toEqual(runs);
    const written = await log.take();
    expect(Object.keys(written)).toEqual(['maintenance_jobs update']);
    // The log sees what is written.
    await tell('cleo');
    expect(Object.keys(await log.take())).toEqual(expect.arrayContaining(['messages insert', 'mind_runs insert']));
  });

  it('have one effect of a run that a stop interrupted, and do what came due while nothing ran', async () => {
    await system.remember('elsa', PAIR);
    const asked = (request: Parameters<typeof parseMind>[0]) => parseMind(request) === 'consolidation';
    let isHanging = true;
    models.behave((request) => (isHanging && asked(request) ? { kind: 'hang' } : undefined));
    const before = models.journal.generated.filter(({ request }) => asked(request)).length;
    clock.advance(DAY_MS);
    system.running.infrastructure.relay.kick();
    await models.journal.waitFor(
      (entries) => entries.filter(({ request }) => request.endpoint === 'generate' && asked(request)).length > before,
    );
    isHanging = false;
    await system.remember('dora', PAIR);
    await system.stop();
    // The claim of the process that has stopped is over.
    clock.advance(DAY_MS);
    system = await start();
    await system.waitUntilQuiet();
    for (const userId of ['dora', 'elsa']) expect(await system.listCurrent(userId)).toEqual([PAIR[0]]);
    const merges = await system.query(
      `SELECT FROM mind_run_changes WHERE change = 'merge' AND state = 'written' AND user_id = 'elsa'`,
    );
    expect(merges).toHaveLength(1);
  });

  it('ask a provider that always fails a fixed number of times, then nothing until something changes', async () => {
    models.behave((request) => (isFailing && parseMind(request) !== null ? { kind: 'error', status: 500 } : undefined));
    isFailing = true;
    const since = new Date(clock.now());
    const before = countCalls();
    const callsSince = () => Object.fromEntries(KINDS.map((kind) => [kind, countCalls()[kind]! - before[kind]!]));
    await tell('finn');
    await system.pass(2 * DAY_MS, STEP_MS);
    const asked = Object.fromEntries(KINDS.map((kind) => [kind, MAX_MIND_FAILURES]));
    expect(callsSince()).toEqual(asked);
    await system.pass(3 * DAY_MS, STEP_MS);
    expect(callsSince()).toEqual(asked);
    const failures = await system.query(
      `SELECT w.kind, w.failures FROM mind_watermarks w WHERE w.failures > 0 ORDER BY w.kind`,
    );
    expect(failures).toEqual(KINDS.toSorted().map((kind) => ({ kind, failures: MAX_MIND_FAILURES })));
    const recorded = await system.query(
      `SELECT operation AS kind, count(*)::int AS failures FROM usage
        WHERE operation IN ('insights', 'consolidation', 'summary') AND ts >= $1
        GROUP BY operation ORDER BY operation`,
      [since],
    );
    expect(recorded).toEqual(failures);
    isFailing = false;
    await system.pass(DAY_MS, STEP_MS);
    expect(callsSince()).toEqual(asked);
    await system.remember('finn', ['The user runs three times a week.', 'The user goes for a run 3 times per week.']);
    await system.tell('finn', 'thread of finn', ['I also went to Bergen in winter, alone.']);
    await system.waitUntilQuiet();
    await system.pass(2 * DAY_MS, STEP_MS);
    for (const [kind, calls] of Object.entries(callsSince()))
      expect([kind, calls]).toEqual([kind, MAX_MIND_FAILURES + 1]);
    expect(await system.query('SELECT kind, failure_code FROM work WHERE failed_at IS NOT NULL')).toEqual([]);
  });
});
