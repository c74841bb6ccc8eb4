import { SeededRng } from '@annals/domain';
import { FakeModelsProcess } from '@annals/testing';
import {
  createBacklog,
  makeConsolidationsDue,
  type MindWork,
  readMindWork,
  requireBacklog,
  waitForMinds,
} from '../beside-minds/backlog.ts';
import { type HotPath, HotPathClient } from '../beside-minds/measure-hot-path.ts';
import { type BenchDeployment, withDeployment } from '../frame/deployment.ts';
import { ApiClient } from '../frame/load.ts';
import { log } from '../frame/log.ts';
import { atMost, type Row } from '../frame/row.ts';
import type { ServiceProcess } from '../frame/service-process.ts';
import { median } from '../frame/statistics.ts';
import type { Suite } from '../frame/suite.ts';

const CONCURRENCY = 8;
const SIZES = {
  full: { rounds: 10, seconds: 4, backlog: 1_600 },
  quick: { rounds: 2, seconds: 2, backlog: 400 },
};
/** Of a model that is quick, so that minds call it often. */
const MODEL_LATENCY_MS = 300;
const MAX_RATIO = 1.1;
/** The meter never holds minds back: they work as fast as their share of the time allows. */
const ENERGY = { ANNALS_ENERGY_CAPACITY: '1000000', ANNALS_ENERGY_REFILL_PER_HOUR: '1000000' };
const UNLIMITED = '1000000000';

/** `again`: without minds a second time, which shows what the machine alone changes. */
const SIDES = ['off', 'again', 'rules', 'model'] as const;
type Side = (typeof SIDES)[number];

interface Deployed {
  readonly deployment: BenchDeployment;
  readonly client: HotPathClient;
}

interface Measured extends HotPath {
  readonly work: readonly MindWork[];
  /** CPU of the services of minds, as a share of one core. */
  readonly cpuShare: number;
}

type Round = Readonly<Record<Side, Measured>>;

/**
 * Accepting, querying and the time from a message to its memories, without minds and beside minds that work off a
 * backlog as fast as their share of the time allows: by rules, and with a model. Two deployments with the same data and the same requests,
 * of which the one has `ANNALS_MINDS=off`; in the other, the services of minds run while it is measured.
 */
export const benchMinds: Suite = async (options) => {
  const { rounds, seconds, backlog } = options.quick ? SIZES.quick : SIZES.full;
  const models = await FakeModelsProcess.start({ latencyMs: MODEL_LATENCY_MS });
  try {
    return await withDeployment(options, (without) =>
      withDeployment(options, async (withMinds) => {
        const off = await deploy(without, { ANNALS_MINDS: 'off' }, backlog);
        const on = await deploy(withMinds, { ANNALS_MINDS: 'on' }, backlog);
        const sides: Record<Side, () => Promise<Measured>> = {
          off: () => measureWithout(off, seconds),
          again: () => measureWithout(off, seconds),
          rules: () => measureBeside(on, seconds, { MEMORY_LLM_PRIMARY: 'local' }),
          model: () => measureBeside(on, seconds, describeModel(models)),
        };
        for (const { client } of [off, on]) await client.measure(seconds);
        const measured: Round[] = [];
        for (let round = 0; round < rounds; round += 1) measured.push(await measureRound(sides, round));
        return describe(measured);
      }),
    );
  } finally {
    await models.stop();
  }
};

async function deploy(deployment: BenchDeployment, env: Record<string, string>, users: number): Promise<Deployed> {
  const gateway = await deployment.startGateway(env);
  for (const name of ['extraction', 'persistence'] as const)
    await deployment.startWorker(name, { concurrency: CONCURRENCY, env });
  const { environment } = deployment;
  const client = new ApiClient(gateway.url, environment.apiKey);
  await createBacklog(environment, client, { rng: new SeededRng(5), users });
  await makeConsolidationsDue(environment);
  return { deployment, client: new HotPathClient(environment, client) };
}

/** Another side is first in each round. */
async function measureRound(sides: Record<Side, () => Promise<Measured>>, round: number): Promise<Round> {
  const measured: Partial<Record<Side, Measured>> = {};
  for (let turn = 0; turn < SIDES.length; turn += 1) {
    const side = SIDES[(round + turn) % SIDES.length]!;
    measured[side] = await sides[side]();
    const { accept, query, memory, cpuShare } = measured[side];
    const figures = [accept, query, memory].map((ms) => ms.toFixed(1)).join(' / ');
    log(`round ${round + 1}, ${side}: ${figures} ms, minds use ${cpuShare.toFixed(2)} cores`);
  }
  return measured as Round;
}

async function measureWithout({ client }: Deployed, seconds: number): Promise<Measured> {
  return { ...(await client.measure(seconds)), work: [], cpuShare: 0 };
}

async function measureBeside(
  { deployment, client }: Deployed,
  seconds: number,
  env: Record<string, string>,
): Promise<Measured> {
  const { environment } = deployment;
  const startedAt = environment.clock.now();
  const services = await Promise.all(
    (['tom-insight', 'consolidation-worker'] as const).map((name) =>
      deployment.startMinds(name, { ANNALS_MINDS: 'on', ...ENERGY, ...env }),
    ),
  );
  try {
    await waitForMinds(environment, startedAt);
    const from = environment.clock.now();
    const before = await readCpuMs(services);
    const path = await client.measure(seconds);
    const cpuShare = ((await readCpuMs(services)) - before) / (environment.clock.now() - from);
    await requireBacklog(environment);
    return { ...path, work: await readMindWork(environment, from), cpuShare };
  } finally {
    for (const service of services) await service.stop();
  }
}

async function readCpuMs(services: readonly ServiceProcess[]): Promise<number> {
  const reports = await Promise.all(services.map((service) => service.probe()));
  return reports.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

function describeModel(models: FakeModelsProcess): Record<string, string> {
  return {
    MEMORY_LLM_PRIMARY: 'claude',
    MEMORY_LLM_CLAUDE_API_KEY: 'bench',
    MEMORY_LLM_CLAUDE_BASE_URL: models.anthropicUrl,
    MEMORY_LLM_CLAUDE_REQUESTS_PER_MINUTE: UNLIMITED,
    MEMORY_LLM_CLAUDE_TOKENS_PER_MINUTE: UNLIMITED,
    ANNALS_CONSOLIDATION_TOKENS_PER_DAY: UNLIMITED,
  };
}

const FIGURES = [
  ['accept', 'accepting a conversation'],
  ['query', 'memory.query'],
  ['memory', 'from a message to its memories'],
] as const;
const BESIDE = {
  again: 'without minds, measured again',
  rules: 'beside minds by rules',
  model: 'beside minds with a model',
};

function describe(rounds: readonly Round[]): Row[] {
  return (['again', 'rules', 'model'] as const).flatMap((side) => {
    const rows = FIGURES.map(([figure, what]): Row => {
      const ratios = rounds.map((round) => round[side][figure] / round.off[figure]);
      const ratio = median(ratios);
      return {
        id: 'MINDS',
        what: `${what}, ${BESIDE[side]}: median of ${rounds.length} ratios`,
        value: ratio,
        unit: 'x',
        ...(side === 'again' ? {} : { target: atMost(ratio, MAX_RATIO, `<= ${MAX_RATIO}x`) }),
        details: {
          ratios,
          offMs: rounds.map(({ off }) => off[figure]),
          ms: rounds.map((round) => round[side][figure]),
        },
      };
    });
    return side === 'again' ? rows : [...rows, ...describeWork(side, rounds)];
  });
}

/** What the minds finished in all rounds. */
function describeWork(side: 'rules' | 'model', rounds: readonly Round[]): Row[] {
  const all = rounds.flatMap((round) => round[side].work);
  const cores = median(rounds.map((round) => round[side].cpuShare));
  const byKind = [...Map.groupBy(all, ({ kind }) => kind)].map(([kind, of]): Row => {
    const sum = (figure: 'runs' | 'failed' | 'calls' | 'energy') => of.reduce((total, one) => total + one[figure], 0);
    return {
      id: 'MINDS',
      what: `${BESIDE[side]}: runs of ${kind} meanwhile (${sum('calls')} calls, ${sum('energy')} units, ${sum('failed')} failed)`,
      value: sum('runs'),
      unit: 'runs',
    };
  });
  return [...byKind, { id: 'MINDS', what: `${BESIDE[side]}: CPU of their services`, value: cores, unit: 'cores' }];
}
