import { consolidationQueue, insightsQueue, summaryQueue } from '@annals/contracts';
import { SeededRng } from '@annals/domain';
import {
  type AdminQuery,
  type AnnalsProcess,
  ApiClient,
  createTestSecret,
  type FakeModels,
  findBrokenInvariants,
  type PrivateServersSystem,
  runAnnals,
  sized,
  startFakeModels,
  startOnPrivateServers,
  TEST_SEED,
  waitUntil,
} from '@annals/testing';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerMinds, INSIGHT_SUMMARY, parseMind } from './minds/answer-minds.js';
import { compareLedger, type Outage, readMindAccounts } from './minds/mind-accounts.js';
import { isLong, MindsLoad, nameUser } from './minds/minds-load.js';
import { chooseFakeModels } from './model-variables.js';
import { reportFigure } from './report.js';

/** Of each of the two services. */
const KILLS = sized(2, 20);
const USERS_PER_KILL = 2;
/** Of both services, which have a call of each run at most. */
const MAX_CALLS_AT_ONCE = insightsQueue.concurrency + consolidationQueue.concurrency + summaryQueue.concurrency;
/** Time of a model's answer: kills hit workers before, during and after their calls. */
const ANSWER_MS = 150;
const CAPACITY = 1_000_000;
const REFILL_PER_HOUR = 25;
const HOUR_MS = 3_600_000;

describe('the services of minds, killed at random moments while conversations end', () => {
  const secret = createTestSecret();
  let models: FakeModels;
  let system: PrivateServersSystem;
  let load: MindsLoad;
  let startedAt: number;
  let outage: Outage;

  beforeAll(async () => {
    models = await startFakeModels({ answer: answerMinds, latencyMs: ANSWER_MS });
    const env = chooseFakeModels(models, {
      // Extraction works by rules, so that all calls are of minds.
      MEMORY_LLM_PRIMARY: 'local',
      MEMORY_LLM_FALLBACKS: 'claude',
      MEMORY_LLM_TIMEOUT_MS: '10000',
      MEMORY_LLM_SETTLING_MARGIN_MS: '10000',
      ANNALS_MINDS: 'on',
      ANNALS_ENERGY_CAPACITY: `${CAPACITY}`,
      ANNALS_ENERGY_REFILL_PER_HOUR: `${REFILL_PER_HOUR}`,
      ANNALS_LEASE_MS: '5000',
      ANNALS_SECRET_KEY: secret,
    });
    startedAt = Date.now();
    system = await startOnPrivateServers({ minds: 1, env });
    const client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    load = new MindsLoad(client, () => system.lastLines);
  });
  afterAll(async () => {
    await system?.close();
    await models?.close();
  });

  const callsOf = ({ app }: AnnalsProcess) =>
    models.journal.generated.filter(({ request }) => (parseMind(request) === 'insights') === (app === 'tom-insight'))
      .length;
  const count = async (query: AdminQuery, sql: string) =>
    (await query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`))[0]!.n;
  const flush = async () => {
    const redis = new Redis(system.redis.url);
    await redis.flushall();
    redis.disconnect();
  };
  const restartPostgres = async (): Promise<Outage> => {
    const from = Date.now();
    await system.postgres.restart();
    return { from, to: Date.now() };
  };
  const verify = () => runAnnals(['verify'], { ANNALS_DATABASE_URL: system.databaseUrl, ANNALS_SECRET_KEY: secret });

  it(`leave what each run writes once, and pay for it exactly, ${KILLS} kills of each (seed ${TEST_SEED})`, async () => {
    reportFigure('kill -9 of services of minds, seed', String(TEST_SEED));
    const rng = new SeededRng(TEST_SEED);
    const victims = [...system.processesOf('tom-insight'), ...system.processesOf('consolidation-worker')];
    for (let kill = 0; kill < KILLS * victims.length; kill += 1) {
      const victim = victims[kill % victims.length]!;
      const enough = callsOf(victim) + 1 + Math.floor(rng.nextFloat() * USERS_PER_KILL);
      const adding = load.add(USERS_PER_KILL);
      await waitUntil(() => callsOf(victim) >= enough, { describe: `${victim.app} has asked a model` });
      await sleep(rng.nextFloat() * 2 * ANSWER_MS);
      await victim.kill9();
      if (kill === KILLS) await flush();
      await victim.start();
      if (kill === KILLS - 1) outage = await restartPostgres();
      await adding;
    }
    await system.inspect(async (query) => {
      const busy = `work WHERE available_at < now() + interval '1 minute' OR claimed_until IS NOT NULL`;
      const isQuiet = async () => (await count(query, busy)) === 0;
      await waitUntil(isQuiet, { describe: 'no work is due', intervalMs: 250 });
      // What is reserved now is so for calls of processes that died: their time is over.
      await query('UPDATE reservations SET expires_at = now()');
      const areCharged = async () => (await count(query, 'reservations')) === 0;
      await waitUntil(areCharged, { describe: 'lost calls are charged', intervalMs: 250 });
      await expectEverythingOnce(query);
      await expectExactAccounts(query);
    });
    expect(await verify()).toMatchObject({ code: 0 });
  });

  async function expectEverythingOnce(query: AdminQuery): Promise<void> {
    // What is left waits for another day: insights of the same user, and the consolidation of the night.
    expect(
      await query(`SELECT kind, deferred_reason, failed_at FROM work WHERE kind NOT IN ('insights', 'consolidation')
      OR kind = 'insights' AND deferred_reason IS DISTINCT FROM 'not_due' OR failed_at IS NOT NULL`),
    ).toEqual([]);
    const { 'no work is left in the outbox': _waiting, ...broken } = await findBrokenInvariants(query, {
      batchIds: load.batchIds,
      contents: new Map(),
    });
    expect(broken).toEqual({});

    const places = await query<{ user_id: string; live: string[]; others: number }>(
      `SELECT c.user_id, array_agg(s.tier || s.position ORDER BY s.tier, s.position)
                FILTER (WHERE s.tombstoned_at IS NULL) AS live,
              count(s.tombstoned_at)::int AS others
         FROM conversations c LEFT JOIN summaries s ON s.tenant_id = c.tenant_id AND s.conversation_id = c.id
        GROUP BY c.user_id, c.id`,
    );
    const expected = load.users.map((_user, number) => ({
      user_id: nameUser(number),
      live: isLong(number) ? ['L10', 'L30'] : ['L30'],
      others: 0,
    }));
    expect(places.toSorted(byUser)).toEqual(expected.toSorted(byUser));
    expect(
      await query(`SELECT s.id FROM summaries s JOIN conversations c ON c.id = s.conversation_id
      WHERE s.tier = 'L3' AND s.to_seq <> (SELECT max(seq) FROM messages m WHERE m.conversation_id = c.id)
         OR NOT EXISTS (SELECT FROM summary_sentences t WHERE t.summary_id = s.id)`),
    ).toEqual([]);

    const insights = await query<{ user_id: string }>(
      `SELECT m.user_id, m.content, count(*)::int AS n, (SELECT count(*)::int FROM mind_runs r
                WHERE r.user_id = m.user_id AND r.kind = 'insights' AND r.state = 'done') AS runs
         FROM insights i JOIN memories m ON m.id = i.memory_id GROUP BY m.user_id, m.content`,
    );
    const once = load.users.map((user_id) => ({ user_id, content: INSIGHT_SUMMARY, n: 1, runs: 1 }));
    expect(insights.toSorted(byUser)).toEqual(once.toSorted(byUser));

    // What somebody asked for by hand is answered under its id.
    expect(
      await query(`SELECT id, state FROM mind_runs WHERE id = ANY ($1) AND state <> 'done'`, [load.runIds]),
    ).toEqual([]);
    expect(
      await query(`SELECT kind, state, failure_code FROM mind_runs WHERE state NOT IN ('done', 'unchanged')
        AND (state <> 'failed' OR failure_code <> 'interrupted')`),
    ).toEqual([]);
    expect(await count(query, `mind_run_changes WHERE change = 'merge' AND state = 'written'`)).toBeGreaterThan(0);
  }

  async function expectExactAccounts(query: AdminQuery): Promise<void> {
    const accounts = await readMindAccounts(query, { capacityMilli: CAPACITY * 1_000, outage });
    const [drawn] = accounts.drawnMilli;
    expect(accounts.drawnMilli).toEqual([drawn, drawn, drawn]);
    expect(accounts.inexactRuns).toEqual([]);
    expect(accounts.refilledMilli).toBeGreaterThanOrEqual(0);
    expect(accounts.refilledMilli).toBeLessThanOrEqual(((Date.now() - startedAt) * REFILL_PER_HOUR * 1_000) / HOUR_MS);
    const { generated } = models.journal;
    const ledger = await compareLedger(query, generated);
    expect(ledger).toMatchObject({ invented: [], chargedLess: false });
    // Every call that was received is in the ledger, and energy was drawn for each row there. Runs also count calls that
    // timed out, which may not have been received.
    const sums = [accounts.counted - ledger.timedOut, generated.length, ledger.rows, accounts.draws];
    expect(sums).toEqual(sums.toSorted((a, b) => a - b));
    // Nothing is lost but what a kill of each service, or the restart of the database, interrupted.
    const mostLost = (KILLS + 1) * MAX_CALLS_AT_ONCE;
    expect(ledger.lost).toBeLessThanOrEqual(mostLost);
    expect(accounts.draws - accounts.counted).toBeLessThanOrEqual(mostLost);
    const interrupted = await count(query, `mind_runs WHERE failure_code = 'interrupted'`);
    reportFigure(
      `kill -9 of tom-insight and consolidation-worker, ${KILLS} times each, ${load.users.length} users`,
      `${interrupted} runs interrupted; calls counted by runs and answered, received, in the ledger, drawn for: ${sums.join(', ')}; ` +
        `${ledger.lost} lost and ${ledger.timedOut} timed out, charged in full`,
    );
  }
});

function byUser(a: { user_id: string }, b: { user_id: string }): number {
  return a.user_id < b.user_id ? -1 : 1;
}
