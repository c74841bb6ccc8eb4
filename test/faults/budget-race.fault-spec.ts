import { BUDGET_SCOPES, type Coordination, createRedisCoordination } from '@annals/coordination';
import { SeededRng, SystemClock, SystemRng, UuidV7Generator } from '@annals/domain';
import { toBudgetDay } from '@annals/runtime';
import { Database, ensureTenant, setDeploymentBudget, setTenantBudget } from '@annals/storage';
import {
  createTestDatabase,
  createTestPool,
  type PrivateServer,
  sized,
  startPrivateRedis,
  TEST_SEED,
  type TestDatabase,
  waitUntil,
} from '@annals/testing';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { SpenderProcess } from './budget-race/spender-process.js';
import { startReferenceLedger, type ReferenceLedger } from './budget-race/reference-ledger.js';
import { reportFigure } from './report.js';

const PROCESSES = sized(2, 4);
const WORKERS_EACH = 16;
const KILLS = sized(4, 10);

const USD = 1_000_000;
const MAX_CALL_COST_MICRO_USD = 40_000;
const DEPLOYMENT_LIMIT = sized(3, 24) * USD;
// A provider has half of all calls, and a tenant a quarter. Their budgets are far below that share of the deployment's:
// otherwise the deployment's was sometimes spent first, and they could never be.
const CLAUDE_LIMIT = sized(0.9, 9) * USD;
/** The first two of four tenants have budgets of their own. */
const TENANT_LIMITS = [sized(0.3, 2) * USD, sized(0.4, 4) * USD];
const MEMORY_LOSS = 'and are killed, while Redis is flushed and restored from an old snapshot';
/** Minimum share of every budget that has to be spent, so that a race that admits too little fails as well. */
const USED = 0.95;

const CALL_TIMEOUT_MS = 1_500;
const SETTLING_MARGIN_MS = sized(8_000, 30_000);
const KEY_PREFIX = 'race';
const NO_FAULTS: Readonly<Record<number, () => Promise<unknown>>> = {};
const DAY_MS = 86_400_000;

interface BudgetTotals {
  readonly name: string;
  readonly limit: number;
  readonly ledger: number;
}

describe(`${PROCESSES * WORKERS_EACH} workers in ${PROCESSES} processes that exhaust a budget concurrently`, () => {
  // The budget day must not end during the race.
  const clockOffsetMs = Date.now() % DAY_MS > DAY_MS - 900_000 ? -3_600_000 : 0;
  const now = () => Date.now() + clockOffsetMs;
  let redis: PrivateServer;
  let testDatabase: TestDatabase;
  let database: Database;
  let pool: pg.Pool;
  let store: Coordination;
  let referenceLedger: ReferenceLedger;
  let tenants: string[];
  let spenders: SpenderProcess[];

  beforeEach(async () => {
    [redis, testDatabase] = await Promise.all([startPrivateRedis(), createTestDatabase()]);
    database = await Database.open(testDatabase.app);
    pool = createTestPool({
      connectionString: testDatabase.admin.url,
      options: '-c search_path=annals,public',
      max: 2,
    });
    store = createRedisCoordination({ redis: redis.url, rng: new SystemRng(), keyPrefix: KEY_PREFIX });
    const ids = new UuidV7Generator(new SystemClock());
    tenants = [];
    for (const name of ['a', 'b', 'c', 'd']) tenants.push(await ensureTenant(database, name, { ids, now: now() }));
    for (const [index, limit] of TENANT_LIMITS.entries())
      await database.inTenant(tenants[index]!, (tx) => setTenantBudget(tx, limit, now()));
    await setDeploymentBudget(database, { scope: 'provider', id: 'claude', limitMicroUsd: CLAUDE_LIMIT, now: now() });
    referenceLedger = await startReferenceLedger(TEST_SEED, {
      deployment: DEPLOYMENT_LIMIT,
      tenants: new Map(TENANT_LIMITS.map((limit, index) => [tenants[index]!, limit])),
      providers: new Map([['claude', CLAUDE_LIMIT]]),
    });
    spenders = Array.from({ length: PROCESSES }, (_, index) => makeSpender(WORKERS_EACH, index));
  });

  afterEach(async () => {
    await Promise.all(spenders.map((spender) => spender.kill9()));
    await Promise.all([referenceLedger.close(), pool.end(), database.close(), store.close()]);
    await Promise.all([redis.stop(), testDatabase.drop()]);
  });

  const makeSpender = (workers: number, index: number) =>
    new SpenderProcess({
      databaseUrl: testDatabase.app.url,
      redisUrl: redis.url,
      keyPrefix: KEY_PREFIX,
      referenceLedgerUrl: referenceLedger.url,
      tenants,
      providers: ['claude', 'openai'],
      spending: { deploymentMicroUsd: DEPLOYMENT_LIMIT, tenantMicroUsd: null, providersMicroUsd: {} },
      workers,
      seed: TEST_SEED + index * 104_729,
      clockOffsetMs,
      callTimeoutMs: CALL_TIMEOUT_MS,
      settlingMarginMs: SETTLING_MARGIN_MS,
      maxCallCostMicroUsd: MAX_CALL_COST_MICRO_USD,
    });

  const sum = async (sql: string, parameters: unknown[] = []): Promise<number> => {
    const { rows } = await pool.query<{ sum: string }>(sql, parameters);
    return Number(rows[0]!.sum);
  };
  /** Every budget with its limit and the cost that the ledger records for it. */
  const readBudgets = async (): Promise<BudgetTotals[]> => {
    const spentBy = (where: string, parameters: unknown[] = []) =>
      sum(`SELECT coalesce(sum(cost_micro_usd), 0) AS sum FROM usage WHERE ${where}`, parameters);
    const ofTenants = TENANT_LIMITS.map(async (limit, index) => ({
      name: tenants[index]!,
      limit,
      ledger: await spentBy('tenant_id = $1', [tenants[index]]),
    }));
    return [
      { name: 'deployment', limit: DEPLOYMENT_LIMIT, ledger: await spentBy('true') },
      { name: 'claude', limit: CLAUDE_LIMIT, ledger: await spentBy(`provider = 'claude'`) },
      ...(await Promise.all(ofTenants)),
    ];
  };
  const isSpent = async () => (await readBudgets()).every(({ limit, ledger }) => ledger >= limit * USED);
  const countOpen = () => sum('SELECT count(*) AS sum FROM reservations');

  const killSometimes = async (rng: SeededRng, injectFault: (round: number) => Promise<unknown>): Promise<void> => {
    for (let round = 0; round < KILLS; round += 1) {
      await sleep(300 + rng.nextFloat() * 1_200);
      await injectFault(round);
      const victim = spenders[Math.floor(rng.nextFloat() * PROCESSES)]!;
      // On a busy machine a process may need longer to begin than any pause: a kill between calls loses none of them.
      await waitUntil(async () => referenceLedger.isCalledBy(victim.pid!) || (await isSpent()), {
        describe: 'the process to be killed waits for an answer, or nothing is left to spend',
        intervalMs: 5,
      });
      await victim.kill9();
      await victim.start(TEST_SEED + round * 31);
    }
  };

  const flush = async () => {
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
  };
  const save = async () => {
    const client = new Redis(redis.url);
    await client.save();
    client.disconnect();
  };
  /** Redis restarts with the last snapshot, in which later charges are missing. */
  const restoreSnapshot = () => redis.kill9().then(() => redis.restart());

  const FAULTS: typeof NO_FAULTS = { 1: save, 3: flush, 4: save, 6: restoreSnapshot, 8: restoreSnapshot };

  it.each<[string, typeof NO_FAULTS]>([
    ['and are killed', NO_FAULTS],
    // In the lane, mixed-load.fault-spec.ts flushes Redis under budgets.
    ...sized<[string, typeof NO_FAULTS][]>([], [[MEMORY_LOSS, FAULTS]]),
  ])(`%s: never exceed any budget, and ledger and store agree in the end (seed ${TEST_SEED})`, async (what, faults) => {
    reportFigure('budget race, seed', String(TEST_SEED));
    const rng = new SeededRng(TEST_SEED);
    const startedMs = performance.now();
    await Promise.all(spenders.map((spender) => spender.start()));
    await killSometimes(rng, async (round) => faults[round]?.());
    await waitUntil(isSpent, { describe: 'the budgets are spent', intervalMs: 500 });
    const raceMs = performance.now() - startedMs;
    for (const spender of spenders) {
      expect([await spender.stop(), spender.errors]).toEqual([0, '']);
    }
    const reconciler = makeSpender(0, PROCESSES);
    spenders.push(reconciler);
    await reconciler.start();
    await waitUntil(async () => (await countOpen()) === 0, {
      describe: 'the last calls of killed processes are charged',
      intervalMs: 200,
    });
    const day = toBudgetDay(now());
    await waitUntil(async () => (await store.budgets.listReservations(day))?.length === 0, {
      describe: 'the store has no reservations',
      intervalMs: 100,
    });
    expect([await reconciler.stop(), reconciler.errors]).toEqual([0, '']);

    expect(referenceLedger.overspent).toEqual([]);
    const budgets = await readBudgets();
    const neverSent = await readNeverSent();
    for (const { name, limit, ledger } of budgets) {
      const spent = referenceLedger.spent.get(name) ?? 0;
      const unsentCost = what === MEMORY_LOSS ? (neverSent.get(name) ?? 0) : 0;
      const isWithin = ledger - unsentCost <= limit;
      const proof = { name, isWithin, isCovered: spent <= ledger, isUsed: ledger >= limit * USED };
      expect(proof).toEqual({ name, isWithin: true, isCovered: true, isUsed: true });
    }
    await expectEveryChargeInLedger();
    await expectStoreToEqualLedger(day);

    const counts = sumCounts(spenders);
    const [deployment] = budgets;
    const spent = referenceLedger.spent.get('deployment')!;
    const lost = await sum(`SELECT count(*) AS sum FROM usage WHERE outcome = 'lost'`);
    reportFigure(
      `budget race, ${PROCESSES * WORKERS_EACH} workers in ${PROCESSES} processes ${what}`,
      `${referenceLedger.arrived.size} calls in ${Math.round(raceMs / 1_000)} s, ${KILLS} kills, ${lost} calls lost with their process; ` +
        `charged by the provider ${toUsd(spent)} of ${toUsd(DEPLOYMENT_LIMIT)}, above budget by 0; ledger ${toUsd(deployment!.ledger)}, ` +
        `${toUsd(neverSent.get('deployment') ?? 0)} of it for calls that were never sent`,
    );
    reportFigure(
      'budget race, ledger by budget',
      budgets.map(({ limit, ledger }) => `${toUsd(ledger)} of ${toUsd(limit)}`).join(', '),
    );
    reportFigure('budget race, outcomes of calls', JSON.stringify(counts));
    expect(counts['refused_budget']).toBeGreaterThan(0);
    expect(lost).toBeGreaterThan(0);
  });

  /** Every charge of the reference ledger is in the ledger exactly once, with at least the same cost. */
  async function expectEveryChargeInLedger(): Promise<void> {
    const { rows } = await pool.query<{ user_id: string; tenant_id: string; provider: string; cost: string }>(
      'SELECT user_id, tenant_id, provider, cost_micro_usd AS cost FROM usage',
    );
    const ledger = new Map(rows.map((row) => [row.user_id, row]));
    expect(ledger.size).toBe(rows.length);
    const missing = referenceLedger.charges.filter(({ callId, tenantId, provider, costMicroUsd }) => {
      const row = ledger.get(callId);
      return row?.tenant_id !== tenantId || row.provider !== provider || Number(row.cost) < costMicroUsd;
    });
    expect(missing).toEqual([]);
  }

  /**
   * What the ledger has charged for calls that were never sent, in micro-USD by budget. A killed process leaves rows
   * that the counters had not admitted. They are canceled, unless the counters are lost before that: then they cannot
   * be distinguished from admitted calls, and are charged like these.
   */
  async function readNeverSent(): Promise<Map<string, number>> {
    const { rows } = await pool.query<{ user_id: string; tenant_id: string; provider: string; cost: string }>(
      `SELECT user_id, tenant_id, provider, cost_micro_usd AS cost FROM usage WHERE outcome = 'lost'`,
    );
    const sums = new Map<string, number>();
    for (const { user_id, tenant_id, provider, cost } of rows) {
      if (referenceLedger.arrived.has(user_id)) continue;
      for (const budget of ['deployment', tenant_id, provider])
        sums.set(budget, (sums.get(budget) ?? 0) + Number(cost));
    }
    return sums;
  }

  async function expectStoreToEqualLedger(day: string): Promise<void> {
    const { rows } = await pool.query<{ tenant_id: string; provider: string; cost: string }>(
      'SELECT tenant_id, provider, sum(cost_micro_usd) AS cost FROM usage GROUP BY 1, 2',
    );
    const total = (matches: (row: (typeof rows)[number]) => boolean) =>
      rows.filter(matches).reduce((all, { cost }) => all + Number(cost), 0);
    for (const tenantId of tenants) {
      for (const provider of ['claude', 'openai']) {
        const usage = await store.budgets.read(day, { tenantId, provider });
        const spent = BUDGET_SCOPES.map((scope) => [scope, usage?.[scope]?.spentMicroUsd]);
        const held = BUDGET_SCOPES.map((scope) => usage?.[scope]?.reservedMicroUsd);
        expect(Object.fromEntries(spent)).toEqual({
          deployment: total(() => true),
          tenant: total((row) => row.tenant_id === tenantId),
          provider: total((row) => row.provider === provider),
        });
        expect(held).toEqual([0, 0, 0]);
      }
    }
  }
});

function sumCounts(spenders: readonly SpenderProcess[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const { counts } of spenders)
    for (const [what, count] of Object.entries(counts)) total[what] = (total[what] ?? 0) + count;
  return Object.fromEntries(Object.entries(total).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function toUsd(microUsd: number): string {
  return `${(microUsd / USD).toFixed(6)} USD`;
}
