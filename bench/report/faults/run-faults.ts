import { SeededRng } from '@annals/domain';
import {
  ApiClient,
  createTestSecret,
  FakeModelsProcess,
  type PrivateServersSystem,
  ScrapingPrometheus,
  startOnPrivateServers,
  waitUntil,
} from '@annals/testing';
import { chooseFakeModels } from '../../../test/faults/model-variables.ts';
import { log } from '../../frame/log.ts';
import { type BudgetName, SteppedBudgets } from './budgets.ts';
import { causeFaults } from './cause-faults.ts';
import { checkRun, type RunChecks } from './checks/check-run.ts';
import { FAULT_NAMES, type FaultName } from './faults.ts';
import { type CausedFault, type Impact, measureImpacts } from './impact.ts';
import { Book } from './load/book.ts';
import { Caller } from './load/caller.ts';
import { Listeners, LISTENER_VARIABLES } from './load/listen.ts';
import { MixedLoad } from './load/mixed-load.ts';
import { createTenants } from './load/population.ts';
import { planFaults } from './schedule.ts';
import { readPipeline, type PipelineTimeline } from './read-pipeline.ts';
import { settle } from './settle.ts';
import { buildTimeline, type ClientTimeline, countStatuses } from './timeline.ts';

export interface FaultRunOptions {
  readonly seed: number;
  readonly intervalMs: number;
  readonly faults: number;
  /** Default: all. */
  readonly names?: readonly FaultName[];
  readonly perSecond: number;
  readonly tenants: number;
  readonly usersEach: number;
  /** How much each budget is raised by, in micro-USD, and how long it holds work back before. */
  readonly budgetSteps: Readonly<Record<BudgetName, number>>;
  readonly holdMs: number;
  readonly eraseEveryMs: number;
  /** Processes of each worker, and gateways. */
  readonly replicas: number;
  readonly scrapeSeconds: number;
  /** The load goes on after the last fault until the book has counted so much of each. */
  readonly enough?: Readonly<Record<string, number>>;
  /** Reads what else is wanted of Prometheus before everything ends. Times in epoch seconds. */
  readonly observe?: (prometheus: ScrapingPrometheus, from: number, to: number) => Promise<void>;
}

export interface FaultRun extends RunChecks {
  readonly seconds: number;
  /** Time after the load until nothing was left to do. */
  readonly settledSeconds: number;
  readonly faults: readonly (CausedFault & Impact)[];
  readonly statuses: Readonly<Record<string, number>>;
  readonly counts: Readonly<Record<string, number>>;
  readonly clients: ClientTimeline;
  readonly pipeline: PipelineTimeline;
  /** Batches that waited, by reason, and finished runs of minds, by kind. */
  readonly deferrals: Readonly<Record<string, number>>;
  readonly mindRuns: Readonly<Record<string, number>>;
  /** Alerts that fired in the run, as an operator would have got them. */
  readonly alerts: readonly string[];
}

const BUCKET_SECONDS = 5;
const ENOUGH_TIMEOUT_MS = 10 * 60_000;

const CONFIGURATION = {
  ...LISTENER_VARIABLES,
  ANNALS_MINDS: 'on',
  ANNALS_RATE_LIMIT_PER_MINUTE: '1000000',
  MEMORY_LLM_TIMEOUT_MS: '5000',
  MEMORY_LLM_SETTLING_MARGIN_MS: '10000',
};

/** Runs the whole system under a mixed load with faults from a seed, and checks everything afterwards. */
export async function runFaults(options: FaultRunOptions): Promise<FaultRun> {
  const secret = createTestSecret();
  const models = await FakeModelsProcess.start({ latencyMs: 50 });
  let system: PrivateServersSystem | undefined;
  let prometheus: ScrapingPrometheus | undefined;
  try {
    system = await startOnPrivateServers({
      gateways: options.replicas,
      extractions: options.replicas,
      persistences: options.replicas,
      minds: 1,
      env: chooseFakeModels(models, { ...CONFIGURATION, ANNALS_SECRET_KEY: secret }),
    });
    prometheus = await ScrapingPrometheus.start(system.processes, { intervalSeconds: options.scrapeSeconds });
    return await runOn({ system, models, prometheus, secret }, options);
  } catch (error) {
    throw new Error(`The run failed. Last lines of the processes:\n${system?.lastLines}`, { cause: error });
  } finally {
    await system?.close();
    await Promise.all([prometheus?.stop(), models.stop()]);
  }
}

interface Running {
  readonly system: PrivateServersSystem;
  readonly models: FakeModelsProcess;
  readonly prometheus: ScrapingPrometheus;
  readonly secret: string;
}

async function runOn({ system, models, prometheus, secret }: Running, options: FaultRunOptions): Promise<FaultRun> {
  const { seed, intervalMs, faults: count, names = FAULT_NAMES } = options;
  // Each has its own, so that how fast one goes does not change the choices of the other.
  const planned = planFaults(new SeededRng(seed), { names, count, intervalMs });
  const operator = new ApiClient(() => system.nextUrl(), system.operatorKey);
  const tenants = await createTenants(operator, options);
  const book = new Book();
  const caller = new Caller();
  await using listeners = await Listeners.start({ tenants, book, caller, rng: new SeededRng(seed + 2) });
  const budgets = new SteppedBudgets(operator, tenants[0]!, caller, {
    book,
    steps: options.budgetSteps,
    holdMs: options.holdMs,
  });
  await budgets.start();
  const from = Date.now() / 1_000;
  const load = new MixedLoad({ ...options, tenants, book, caller, rng: new SeededRng(seed + 1) });
  const caused = await causeFaults({ system, models }, planned, count * intervalMs);
  await waitUntil(
    () => Object.entries(options.enough ?? {}).every(([what, least]) => (book.counts[what] ?? 0) >= least),
    {
      describe: 'the load has done enough',
      timeoutMs: ENOUGH_TIMEOUT_MS,
    },
  );
  await load.stop();
  const seconds = Date.now() / 1_000 - from;
  log(`load: ${caller.samples.length} requests in ${Math.round(seconds)} s; waiting until nothing is left to do …`);
  await budgets.stop();
  await settle(system);
  await load.finishChanges();
  await load.checkCheckpoints();
  await settle(system);
  await system.inspect((query) => listeners.settle(query));
  const to = Date.now() / 1_000;
  const checks = await checkRun({ system, models, tenants, book, listeners, held: budgets.held, secret });
  await options.observe?.(prometheus, from, to);
  const samples = caller.samples.filter(({ atMs }) => atMs < seconds * 1_000);
  const impacts = measureImpacts(caused, samples, seconds * 1_000);
  return {
    ...checks,
    seconds: Math.round(seconds),
    settledSeconds: Math.round(to - from - seconds),
    faults: caused.map((fault, index) => ({ ...fault, ...impacts[index]! })),
    statuses: countStatuses(samples),
    counts: book.counts,
    clients: buildTimeline(samples, { bucketSeconds: BUCKET_SECONDS, seconds }),
    pipeline: await readPipeline(prometheus, { from, seconds, bucketSeconds: BUCKET_SECONDS }),
    deferrals: await countBy(prometheus, 'memory_llm_deferrals_total', 'reason', to - from),
    mindRuns: await countBy(prometheus, 'memory_llm_mind_runs_total', 'kind', to - from),
    alerts: await listAlerts(prometheus, from, to),
  };
}

async function listAlerts(prometheus: ScrapingPrometheus, from: number, to: number): Promise<string[]> {
  const series = await prometheus.queryRange('ALERTS{alertstate="firing"}', {
    start: from,
    end: to,
    step: BUCKET_SECONDS,
  });
  return [...new Set(series.map(({ metric }) => metric['alertname']!))].toSorted();
}

/** What a counter counted in the last seconds, by a label; counters of killed processes included. */
async function countBy(
  prometheus: ScrapingPrometheus,
  counter: string,
  label: string,
  seconds: number,
): Promise<Record<string, number>> {
  const samples = await prometheus.query(`sum by (${label}) (increase(${counter}[${Math.ceil(seconds)}s]))`);
  const counts = samples.map(({ metric, value }) => [metric[label] ?? '', Math.round(value)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
