import { MAX_PAIRS_PER_DAY } from '@annals/domain';
import {
  createTestDatabase,
  type FakeModels,
  type JournalEntry,
  mapConcurrently,
  parseMind,
  parseShownPairs,
  ShiftedClock,
  sized,
  startFakeModels,
  type TestDatabase,
} from '@annals/testing';
import { reportFigure } from '../faults/report.js';
import { BoundedLoad } from './bounded-load.fixture.js';
import { countCalls, reserveOf, toDay } from './count-calls.fixture.js';
import { describeModel, DrivenSystem } from './driven-system.fixture.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const USERS = sized(8, 500);
/** Of another tenant, which has caps of its own. */
const OTHERS = sized(2, 20);
const MEMORIES_PER_USER = 100;
/** So scarce that all of them bind. At full size these are the defaults. */
const SCARCE = { capacity: sized(50, 1_000), refillPerHour: sized(25, 100) };
const TOKENS_PER_DAY = sized(12_000, 200_000);
/** So few that they run out on a day on which nothing else does. */
const FEW_TOKENS_PER_DAY = sized(12_000, 120_000);
const AMPLE = { capacity: 1_000_000, refillPerHour: 1_000_000 };
/** Of the tokens of a question, as they are drawn before it. */
const MOST_TOKENS_OF_QUESTION = 8_000;
/** Days within which everything is decided when there is enough energy. */
const MAX_DAYS = 40;
const STEP_MS = sized(6, 1) * HOUR_MS;

describe(`the minds of a tenant with ${USERS * MEMORIES_PER_USER} memories of ${USERS} users, beside another tenant`, () => {
  const clock = new ShiftedClock();
  const load = new BoundedLoad(USERS + OTHERS, MEMORIES_PER_USER);
  const [ours, others] = [load.users.slice(0, USERS), load.users.slice(USERS)];
  let database: TestDatabase;
  let models: FakeModels;
  let system: DrivenSystem;
  let otherTenant: string;

  const start = (energy: typeof AMPLE, tokensPerDay: number) =>
    DrivenSystem.start(database, {
      clock,
      env: {
        ...describeModel(models),
        ANNALS_ENERGY_CAPACITY: `${energy.capacity}`,
        ANNALS_ENERGY_REFILL_PER_HOUR: `${energy.refillPerHour}`,
        ANNALS_CONSOLIDATION_TOKENS_PER_DAY: `${tokensPerDay}`,
      },
    });

  beforeAll(async () => {
    // Each step ends in the middle of an hour, so that no run passes midnight, and all steps of a day in the next one:
    // at another time of the day, what a day may draw could be looked at before anything was drawn.
    clock.advance(DAY_MS + 18.5 * HOUR_MS - (clock.now() % DAY_MS));
    database = await createTestDatabase();
    models = await startFakeModels({ answer: load.answer, now: () => clock.now() });
    system = await start(SCARCE, TOKENS_PER_DAY);
    otherTenant = await system.addTenant('other');
    await mapConcurrently(ours, ({ id, memories }) => system.remember(id, memories), 8);
    await mapConcurrently(others, ({ id, memories }) => system.remember(id, memories, otherTenant), 8);
    await mapConcurrently(ours, ({ id, said }) => system.tell(id, `thread of ${id}`, said), 4);
    await system.waitUntilQuiet();
  });
  afterAll(async () => {
    await system?.stop();
    await models?.close();
    await database?.drop();
  });

  /** What the server counted of one tenant. */
  const count = (limits = SCARCE, users = ours) => {
    const ids = new Set(users.map(({ id }) => id));
    const isTheirs = ({ request }: JournalEntry) =>
      load.ownersOf(request.userTexts.join('\n')).some((id) => ids.has(id));
    return countCalls(models.journal.generated.filter(isTheirs), limits, (text) => load.ownerOf(text));
  };
  /** Tokens of the first tenant's consolidation so far, by the records of its runs and by the ledger. */
  const readTokens = async () => {
    const [row] = await system.query<{ runs: number; ledger: number }>(
      `SELECT (SELECT coalesce(sum(input_tokens + output_tokens), 0)::int FROM mind_runs
                WHERE kind = 'consolidation' AND tenant_id = $1) AS runs,
              (SELECT coalesce(sum(input_tokens + output_tokens), 0)::int FROM usage
                WHERE operation = 'consolidation' AND tenant_id = $1) AS ledger`,
      [system.tenantId],
    );
    return row!;
  };
  const countCallsSoFar = () => models.journal.generated.length;

  it('pass no cap of a user, a day or the meter, and reach all of them', async () => {
    const [{ memories }] = (await system.query<{ memories: number }>(
      `SELECT count(*)::int AS memories FROM memories WHERE origin = 'manual'`,
    )) as [{ memories: number }];
    expect(memories).toBe((USERS + OTHERS) * MEMORIES_PER_USER);
    const waits = new Set<string>();
    const noteWaits = async () => {
      for (const { reason } of await system.query<{ reason: string }>(
        'SELECT DISTINCT deferred_reason AS reason FROM work WHERE deferred_reason IS NOT NULL',
      ))
        waits.add(reason);
    };
    const started = performance.now();
    await noteWaits();
    await system.pass(DAY_MS, STEP_MS, noteWaits);
    for (const users of [ours, others]) {
      const { tokensByDay: _days, ...counted } = count(SCARCE, users);
      const took = Math.round((performance.now() - started) / 1_000);
      reportFigure(`scarce, ${users.length} users of a tenant`, `${JSON.stringify(counted)} in ${took} s`);
      expect(counted.calls.consolidation).toBeGreaterThan(0);
      expect(counted.pairsOfUserAndDay).toBeLessThanOrEqual(MAX_PAIRS_PER_DAY);
      expect(counted.tokensOfDay).toBeLessThanOrEqual(TOKENS_PER_DAY);
      expect(counted.lowestLevel).toBeGreaterThanOrEqual(reserveOf(SCARCE));
    }
    // The caps are what held the minds of the first tenant back.
    expect(count().lowestLevel).toBeLessThan(reserveOf(SCARCE) + 40);
    expect([...waits]).toContain('energy');
  });

  it('draw and record exactly what the server received', async () => {
    for (const [tenantId, users] of [
      [system.tenantId, ours],
      [otherTenant, others],
    ] as const) {
      const { calls, energy } = count(SCARCE, users);
      const rows = await system.query<{ kind: string; calls: number; energy: number }>(
        `SELECT kind, sum(calls)::int AS calls, (sum(energy_milli) / 1000)::int AS energy FROM mind_runs
          WHERE calls > 0 AND tenant_id = $1 GROUP BY kind`,
        [tenantId],
      );
      const none = { insights: 0, consolidation: 0, summary: 0 };
      expect({ ...none, ...Object.fromEntries(rows.map((row) => [row.kind, row.calls])) }).toEqual(calls);
      expect(rows.reduce((sum, row) => sum + row.energy, 0)).toBe(energy);
      const [sums] = await system.query<{ calls: number; energy: number }>(
        `SELECT (SELECT count(*)::int FROM usage
                  WHERE tenant_id = $1 AND operation IN ('insights', 'consolidation', 'summary')) AS calls,
                (SELECT (consumed_milli / 1000)::int FROM energy_meters WHERE tenant_id = $1) AS energy`,
        [tenantId],
      );
      expect(sums).toEqual({ calls: Object.values(calls).reduce((sum, one) => sum + one, 0), energy });
    }
  });

  it('pass no cap of the tokens of a day when energy lasts, and reach it', async () => {
    await system.stop();
    models.journal.clear();
    system = await start(AMPLE, FEW_TOKENS_PER_DAY);
    const firstDay = toDay(clock.now());
    const before = await readTokens();
    let mostDrawn = 0;
    await system.pass(DAY_MS, STEP_MS, async () => {
      for (const { day, tokens } of await system.query<{ day: string; tokens: number }>(
        'SELECT day::text AS day, tokens::int AS tokens FROM consolidation_tokens WHERE tenant_id = $1',
        [system.tenantId],
      )) {
        // The day on which this begins has calls of before.
        if (day === firstDay) continue;
        expect([day, tokens]).toEqual([day, count(AMPLE).tokensByDay.get(day) ?? 0]);
        mostDrawn = Math.max(mostDrawn, tokens);
      }
    });
    const counted = count(AMPLE);
    reportFigure('few tokens', JSON.stringify({ ...counted, tokensByDay: [...counted.tokensByDay] }));
    expect(counted.tokensOfDay).toBeLessThanOrEqual(FEW_TOKENS_PER_DAY);
    // What is left does not suffice for the most that a question can take.
    expect(mostDrawn).toBeGreaterThan(FEW_TOKENS_PER_DAY - MOST_TOKENS_OF_QUESTION);
    expect(counted.pairsOfUserAndDay).toBeLessThanOrEqual(MAX_PAIRS_PER_DAY);

    const received = [...counted.tokensByDay.values()].reduce((sum, one) => sum + one, 0);
    const after = await readTokens();
    expect([after.runs - before.runs, after.ledger - before.ledger]).toEqual([received, received]);
  });

  it('end with everything decided when there is enough, at most 50 pairs of a user and day', async () => {
    await system.stop();
    models.journal.clear();
    system = await start(AMPLE, 1_000_000_000);
    let before = -1;
    let days = 0;
    for (; countCallsSoFar() > before && days < MAX_DAYS; days += 1) {
      before = countCallsSoFar();
      await system.pass(DAY_MS, STEP_MS);
    }
    const counted = count(AMPLE);
    reportFigure('ample', `${JSON.stringify({ ...counted, tokensByDay: undefined })} in ${days} days`);
    expect(days).toBeLessThan(MAX_DAYS);
    expect(counted.pairsOfUserAndDay).toBe(MAX_PAIRS_PER_DAY);
    const left = await system.query(`SELECT kind, failure_code FROM work WHERE failed_at IS NOT NULL`);
    expect(left).toEqual([]);
  });

  it('ask nothing more while the data is unchanged', async () => {
    const before = countCallsSoFar();
    const memories = await system.query('SELECT id, revision FROM memories ORDER BY id');
    await system.pass(2 * DAY_MS, 6 * HOUR_MS);
    expect(countCallsSoFar()).toBe(before);
    expect(await system.query('SELECT id, revision FROM memories ORDER BY id')).toEqual(memories);
  });

  it('ask about a memory that is added, and about nothing else', async () => {
    models.journal.clear();
    const [{ id, memories }] = load.users as [(typeof load.users)[number]];
    const added = memories.at(-1)!.replace(/(?<=repairs the )\w+/u, 'rusty');
    expect(memories).not.toContain(added);
    await system.remember(id, [added]);
    await system.pass(2 * DAY_MS, STEP_MS);
    const { generated } = models.journal;
    const owners = generated.flatMap(({ request }) => load.ownersOf(request.userTexts.join('\n')));
    expect(new Set(owners)).toEqual(new Set([id]));
    const pairs = generated
      .filter(({ request }) => parseMind(request) === 'consolidation')
      .flatMap(({ request }) => parseShownPairs(request));
    expect(pairs.length).toBeGreaterThan(0);
    expect(pairs.filter(({ a, b }) => a !== added && b !== added)).toEqual([]);
    expect(generated.filter(({ request }) => parseMind(request) === 'summary')).toEqual([]);
    reportFigure('one added', `${generated.length} calls, ${pairs.length} pairs`);
  });
});
