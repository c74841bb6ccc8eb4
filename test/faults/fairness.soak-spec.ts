import { SeededRng } from '@annals/domain';
import {
  type AnnalsProcess,
  ApiClient,
  type DistributedSystem,
  type FakeModels,
  FakeModelsRemote,
  isSoak,
  mapConcurrently,
  sized,
  startFakeModels,
  startOnServices,
  TEST_SEED,
  waitUntil,
} from '@annals/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeMarkedPost, makeTenants, markOf } from './marked-posts.js';
import { chooseFakeModels } from './model-variables.js';
import { readMetrics } from './read-metrics.js';
import { formatSeconds, reportFigure } from './report.js';

const FLOOD = sized(1_500, 10_000);
const SINGLES = sized(4, 10);
const POSTERS = 32;
const CONCURRENCY = 8;
const MIN_CALL_MS = 200;
const MAX_CALL_MS = 1_000;
/** Maximum delay of a single batch by another tenant's flood, plus one call. */
const MAX_WAIT_MS = 5_000 + MAX_CALL_MS;
/** Calls in that time when only the concurrency limits them. */
const CALLS_IN_TIME = (CONCURRENCY * MAX_WAIT_MS) / ((MIN_CALL_MS + MAX_CALL_MS) / 2);
const REQUESTS_PER_MINUTE = 600;
/** Calls in that time when only the requests per minute limit them. */
const REQUESTS_IN_TIME = (REQUESTS_PER_MINUTE * MAX_WAIT_MS) / 60_000;
const BULK = sized(200, 500);
/** Bulk batches that start while the interactive batch is stored, queued and picked up. */
const BULK_BEFORE_IT = 3 * CONCURRENCY;
const BULK_UNDER_LOAD = 20;
/** More than a tenant may have in the queue (64), so that batches wait in the database too. */
const OUTSTANDING = 100;

const itInSoak = isSoak ? it : () => undefined;

/** The time from a post to its call. */
interface Wait {
  readonly ms: number;
  /** Batches whose calls arrived between the response to the post and this call. */
  readonly overtakenBy: number;
}

describe(`one extraction of ${CONCURRENCY} calls at a time`, () => {
  const rng = new SeededRng(TEST_SEED);
  let fake: FakeModels;
  let system: DistributedSystem;
  let worker: AnnalsProcess;
  let operator: ApiClient;
  let clients: Map<string, ApiClient>;
  let next = 0;
  /** Time of the first call for each mark, in order of arrival. */
  const arrivals = new Map<string, number>();

  beforeAll(async () => {
    fake = await startFakeModels();
    fake.behave((request) => {
      const [mark = ''] = request.marks;
      if (!arrivals.has(mark)) arrivals.set(mark, Date.now());
      return { kind: 'answer', delayMs: MIN_CALL_MS + rng.nextFloat() * (MAX_CALL_MS - MIN_CALL_MS) };
    });
    const env = chooseFakeModels(new FakeModelsRemote(fake.anthropicUrl), {
      MEMORY_LLM_FALLBACKS: '',
      ANNALS_EXTRACTION_CONCURRENCY: `${CONCURRENCY}`,
    });
    system = await startOnServices({ gateways: 2, env });
    worker = system.extractions[0]!;
    operator = new ApiClient(() => system.nextUrl(), system.operatorKey);
    clients = await makeTenants(operator, ['flood', 'single', 'both', 'mixed']);
  });
  afterAll(async () => {
    await system?.close();
    await fake?.close();
  });

  /** Posts one batch; returns its number. */
  const post = async (tenant: string, priority: 'interactive' | 'bulk' = 'interactive'): Promise<number> => {
    const number = next++;
    const target = { userId: `${tenant}-user-${number % 50}`, threadId: `thread-${number}` };
    await clients.get(tenant)!.must('postConversation', { body: { ...makeMarkedPost(number, target), priority } });
    return number;
  };
  const postMany = (tenant: string, count: number, priority?: 'interactive' | 'bulk') =>
    mapConcurrently(Array.from({ length: count }), () => post(tenant, priority), POSTERS);
  const arrivalOf = (number: number) => arrivals.get(markOf(number));
  const measureWait = async (tenant: string): Promise<Wait> => {
    const postedAt = Date.now();
    const number = await post(tenant);
    const before = arrivals.size;
    const arrivedAt = await waitUntil(() => arrivalOf(number), {
      describe: `the provider is called for batch ${number}`,
    });
    const position = [...arrivals.keys()].indexOf(markOf(number));
    return { ms: arrivedAt - postedAt, overtakenBy: Math.max(0, position - before) };
  };
  const measureWaits = async (tenant: string, pauseMs: number): Promise<Wait[]> => {
    const waits: Wait[] = [];
    for (let turn = 0; turn < SINGLES; turn += 1) {
      await sleep(rng.nextFloat() * pauseMs);
      waits.push(await measureWait(tenant));
    }
    return waits.toSorted((a, b) => a.ms - b.ms);
  };
  const describeTimes = (times: readonly number[]) =>
    `median ${formatSeconds(times[Math.floor(times.length / 2)]!)}, at worst ${formatSeconds(times.at(-1)!)}`;
  const describeWaits = (waits: readonly Wait[]) =>
    `${describeTimes(waits.map(({ ms }) => ms))} and ${Math.max(...waits.map((wait) => wait.overtakenBy))} calls`;
  /** Asserts positions in the queue, which do not depend on the machine's speed; the times are only reported. */
  const expectShort = (waits: readonly Wait[], callsInTime: number): void =>
    expect(waits.filter(({ overtakenBy }) => overtakenBy > callsInTime)).toEqual([]);

  it(`lets a single batch overtake another tenant's flood of ${FLOOD} (seed ${TEST_SEED})`, async () => {
    reportFigure('fairness, seed', String(TEST_SEED));
    const startedMs = performance.now();
    const flooding = postMany('flood', FLOOD);
    flooding.catch(() => undefined);
    await waitUntil(() => next > FLOOD / 20, { describe: 'the flood has begun' });
    const duringFlood = await measureWaits('single', 1_000);
    await flooding;
    const floodedMs = performance.now() - startedMs;
    const afterFlood = await measureWaits('single', 1_000);
    expect(next - arrivals.size).toBeGreaterThan(FLOOD / 2);
    reportFigure(
      `fairness, a tenant's single batches beside ${FLOOD} of another, posted over HTTP in ${formatSeconds(floodedMs)}, calls of 0.2–1 s`,
      `from post to call during the flood ${describeWaits(duringFlood)}; after it ${describeWaits(afterFlood)}`,
    );
    for (const waits of [duringFlood, afterFlood]) expectShort(waits, CALLS_IN_TIME);
  });

  // Uses a real minute of the rate limiter. libs/coordination tests the limiter with an injected clock, in every lane.
  itInSoak('does the same when requests per minute are the bottleneck', async () => {
    // The calls of persistence count against the same limit.
    for (const each of [worker, ...system.persistences]) {
      await each.stop();
      await each.start({ MEMORY_LLM_CLAUDE_REQUESTS_PER_MINUTE: `${REQUESTS_PER_MINUTE}` });
    }
    // The rate limiter has admitted its burst, and delays calls from now on.
    await waitUntil(async () => (await readMetrics(worker)).match(/rate_limiter_waits_total\{.* [1-9]/), {
      describe: 'the rate limiter delays calls',
      intervalMs: 200,
    });
    // Calls from before the limit fill its first minute: no call is admitted until they are older than that.
    const made = arrivals.size;
    await waitUntil(() => arrivals.size > made, {
      describe: 'the rate limiter admits calls again',
    });
    const before = arrivals.size;
    const startedMs = performance.now();
    const waits = await measureWaits('single', 1_000);
    const perMinute = (arrivals.size - before) / ((performance.now() - startedMs) / 60_000);
    expect(next - arrivals.size).toBeGreaterThan(FLOOD / 4);
    reportFigure(
      `fairness, the same with ${REQUESTS_PER_MINUTE} requests a minute as the bottleneck`,
      `from post to call ${describeWaits(waits)}; ${Math.round(perMinute)} calls a minute`,
    );
    expectShort(waits, REQUESTS_IN_TIME);
  });

  it(`starts an interactive batch among the first of ${BULK} bulk ones of the same tenant`, async () => {
    await withoutOtherWork();
    const bulk = await postMany('both', BULK, 'bulk');
    const number = await post('both');
    const startedAt = Date.now();
    const arrivedAt = await waitUntil(() => arrivalOf(number), {
      describe: 'its call has arrived',
    });
    const between = bulk.filter((each) => {
      const at = arrivalOf(each);
      return at !== undefined && at >= startedAt && at < arrivedAt;
    });
    const open = bulk.filter((each) => arrivalOf(each) === undefined);
    reportFigure(
      `fairness, an interactive batch after ${BULK} bulk ones of its tenant`,
      `${formatSeconds(arrivedAt - startedAt)} from post to call, ${between.length} bulk calls before it, ${open.length} after it`,
    );
    expect(between.length).toBeLessThanOrEqual(BULK_BEFORE_IT);
    expect(open.length).toBeGreaterThan(BULK / 2);
  });

  // Bulk work overtakes interactive work after two minutes. Its unit specs test that rule with arbitrary times.
  itInSoak('does not starve bulk batches under a continuous interactive load', async () => {
    await withoutOtherWork();
    const stopping = new AbortController();
    const interactive: number[] = [];
    const keepLoad = async (): Promise<void> => {
      while (!stopping.signal.aborted) {
        const open = interactive.filter((each) => arrivalOf(each) === undefined).length;
        if (open < OUTSTANDING) interactive.push(...(await postMany('mixed', OUTSTANDING - open)));
        else await sleep(50);
      }
    };
    const loading = keepLoad();
    await waitUntil(() => interactive.length >= OUTSTANDING * 2, {
      describe: 'the load is running',
    });
    const postedAt = Date.now();
    const bulk = await postMany('mixed', BULK_UNDER_LOAD, 'bulk');
    try {
      await waitUntil(() => bulk.every((each) => arrivalOf(each) !== undefined), {
        describe: 'every bulk batch is started',
        timeoutMs: 360_000,
      });
    } finally {
      stopping.abort();
      await loading;
    }
    const waits = bulk.map((each) => arrivalOf(each)! - postedAt).toSorted((a, b) => a - b);
    reportFigure(
      `fairness, ${BULK_UNDER_LOAD} bulk batches under ${OUTSTANDING} waiting interactive ones at any time`,
      `from post to call ${describeTimes(waits)}`,
    );
  });

  /** Removes the work that is left from earlier tests. */
  async function withoutOtherWork(): Promise<void> {
    await worker.stop();
    await system.inspect(async (query) => {
      await query('DELETE FROM work');
      // Jobs in the queue become stale.
      await query(`UPDATE batches SET generation = generation + 1 WHERE state <> 'done'`);
    });
    await worker.start();
  }
});
