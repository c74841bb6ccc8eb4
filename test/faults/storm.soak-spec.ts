import {
  ApiClient,
  assertNothingLostOrDuplicated,
  type DistributedSystem,
  FakeModelsProcess,
  mapConcurrently,
  type MisbehaviourName,
  TRANSIENT_MISBEHAVIOURS,
  sized,
  startOnServices,
  TEST_SEED,
  waitUntil,
} from '@annals/testing';
import {
  compareWithLedger,
  findUnrecordedCharges,
  makeMarkedPost,
  markedContent,
  makeTenants,
} from './marked-posts.js';
import { chooseFakeModels } from './model-variables.js';
import { sumMetric } from './read-metrics.js';
import { formatSeconds, reportFigure } from './report.js';

const BATCHES = sized(240, 2_000);
const TENANTS = 10;
const USERS_EACH = 20;
const ERROR_RATE = 0.3;
const OUTAGE_MS = sized(5_000, 60_000);
/** Every failure after which a retry may succeed, including those that end only by the caller's timeout. */
const KINDS: readonly MisbehaviourName[] = [...TRANSIENT_MISBEHAVIOURS, 'hang', 'stall'];

const CONFIGURATION = {
  MEMORY_LLM_TIMEOUT_MS: '3000',
  MEMORY_LLM_CIRCUIT_MIN_ATTEMPTS: '10',
  MEMORY_LLM_CIRCUIT_COOLDOWN_MS: '2000',
};

describe('a storm of failures', () => {
  let fake: FakeModelsProcess;
  let system: DistributedSystem;
  let tenants: ApiClient[];
  beforeAll(async () => {
    fake = await FakeModelsProcess.start({ latencyMs: 20 });
    const env = chooseFakeModels(fake, CONFIGURATION);
    system = await startOnServices({ gateways: 1, extractions: sized(2, 3), persistences: sized(1, 2), env });
    const operator = new ApiClient(() => system.nextUrl(), system.operatorKey);
    const names = Array.from({ length: TENANTS }, (_, index) => `tenant-${index}`);
    tenants = [...(await makeTenants(operator, names)).values()];
  });
  afterAll(async () => {
    await system?.close();
    await fake?.stop();
  });

  const countStates = async (): Promise<Record<string, number>> => {
    const rows = await system.inspect((query) =>
      query<{ state: string; count: string }>('SELECT state, count(*) FROM batches GROUP BY state'),
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
  };
  const waitForStates = (describe: string, isMet: (states: Record<string, number>) => boolean) =>
    waitUntil(async () => isMet(await countStates()), { describe, intervalMs: 250 });

  it(`and a total outage lose and duplicate nothing, and each call is charged once (seed ${TEST_SEED})`, async () => {
    reportFigure('storm, seed', String(TEST_SEED));
    await fake.misbehave({ rate: ERROR_RATE, seed: TEST_SEED, kinds: KINDS });
    const contents = new Map<string, Set<string>>();
    const numbers = new Map<string, number>();
    const startedMs = performance.now();
    const posts = Array.from({ length: BATCHES }, (_, number) => number);
    const posting = mapConcurrently(posts, async (number) => {
      const tenant = number % TENANTS;
      const userId = `tenant-${tenant}-user-${Math.floor(number / TENANTS) % USERS_EACH}`;
      const body = makeMarkedPost(number, { userId, threadId: `thread-${number}` });
      const { batch_ids } = await tenants[tenant]!.must('postConversation', { body });
      numbers.set(batch_ids[0]!, number);
      contents.set(userId, (contents.get(userId) ?? new Set()).add(markedContent(number)));
    });
    await waitForStates('the storm has begun', ({ done = 0 }) => done >= BATCHES / 4);
    await fake.outage(true);
    await posting;
    await waitForStates('batches are deferred by the outage', ({ deferred = 0 }) => deferred > BATCHES / 10);
    const before = (await countStates()).done ?? 0;
    await new Promise((resolve) => setTimeout(resolve, OUTAGE_MS));
    const during = await countStates();
    const resetInOutage = (await fake.summarize()).action['reset'] ?? 0;
    await fake.outage(false);
    const overMs = performance.now();
    await waitForStates('the first batch is done after the outage', ({ done = 0 }) => done > (during.done ?? 0));
    const firstMs = performance.now() - overMs;
    try {
      await waitForStates('every batch has ended', ({ done = 0, failed = 0 }) => done + failed === BATCHES);
    } catch (cause) {
      throw new Error(`${JSON.stringify(await countStates())}\n${system.lastLines}`, { cause });
    }
    const recoveryMs = performance.now() - overMs;

    const failed = await system.inspect((query) =>
      query(`SELECT id, error_code, attempts FROM batches WHERE state = 'failed'`),
    );
    expect(failed).toEqual([]);
    await system.inspect((query) => assertNothingLostOrDuplicated(query, { batchIds: [...numbers.keys()], contents }));
    // A call of a worker that lost its lease may end after its batch, before the reconciler would settle it.
    await waitUntil(() => system.inspect(async (query) => (await query('SELECT id FROM reservations')).length === 0), {
      describe: 'every call is settled',
    });
    const summary = await fake.summarize();
    const entries = await fake.listEntries();
    const accounts = await system.inspect((query) => compareWithLedger(query, entries, numbers, 'extraction'));
    expect(findUnrecordedCharges(accounts)).toEqual([]);
    const reconciliations = await system.inspect((query) =>
      compareWithLedger(query, entries, numbers, 'reconciliation'),
    );
    expect(findUnrecordedCharges(reconciliations)).toEqual([]);

    const total = [...accounts.values()];
    const add = (value: (entry: (typeof total)[number]) => number) => total.reduce((sum, each) => sum + value(each), 0);
    const [retries, fallbacks] = await Promise.all([
      sumMetric(system.extractions, 'memory_llm_retries_total'),
      sumMetric(system.extractions, 'memory_llm_fallbacks_total'),
    ]);
    reportFigure('storm, configuration', JSON.stringify(CONFIGURATION));
    reportFigure(
      `storm of ${BATCHES} batches, ${ERROR_RATE * 100} % errors of ${KINDS.length} kinds, outage of ${OUTAGE_MS / 1_000} s`,
      `0 lost, 0 duplicated, 0 failed; ${formatSeconds(overMs - startedMs)} until the end of the outage with ${before} done, ` +
        `${during.deferred ?? 0} deferred; first done ${formatSeconds(firstMs)} after it, all done ${formatSeconds(recoveryMs)} after it`,
    );
    reportFigure(
      'storm, calls',
      `${add(({ calls }) => calls)} calls, ${(add(({ calls }) => calls) / BATCHES).toFixed(2)} per batch ` +
        `(at most ${Math.max(...total.map(({ calls }) => calls))}), ${add(({ charged }) => charged)} charged, ${summary.answered} answered, up to ${resetInOutage} reset; ` +
        `${add(({ rows }) => rows)} rows in the ledger; provider charged ${(add(({ chargedNanoUsd }) => chargedNanoUsd) / 1e9).toFixed(6)} USD, ` +
        `ledger ${(add(({ ledgerMicroUsd }) => ledgerMicroUsd) / 1e6).toFixed(6)} USD; ${retries} retries, ${fallbacks} fallbacks`,
    );
    reportFigure('storm, actions of the provider', JSON.stringify(summary.action));
  });
});
