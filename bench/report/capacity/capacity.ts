import { withDeployment } from '../../frame/deployment.ts';
import type { BenchEnvironment, Servers } from '../../frame/bench-environment.ts';
import { log } from '../../frame/log.ts';
import { median } from '../../frame/statistics.ts';
import { createConversation } from '../../data/conversations.ts';
import { SeededRng } from '@annals/domain';
import { findDatabaseCpu } from '../../frame/server-cpu.ts';
import type { Step } from './find-knee.ts';
import { GATEWAY_POSTS, GATEWAY_QUERIES } from './gateway.ts';
import type { Kind, Prepared } from './kind.ts';
import { CONSOLIDATION_WORKER, TOM_INSIGHT } from './minds.ts';
import { summarizeOffered } from './offer.ts';
import { saturateWithRequests } from './requests.ts';
import { STANDALONE } from './standalone.ts';
import { EXTRACTION_WITH_MODEL, EXTRACTION_WITH_RULES, PERSISTENCE } from './workers.ts';

const KINDS: readonly Kind[] = [
  GATEWAY_POSTS,
  GATEWAY_QUERIES,
  EXTRACTION_WITH_RULES,
  EXTRACTION_WITH_MODEL,
  PERSISTENCE,
  TOM_INSIGHT,
  CONSOLIDATION_WORKER,
  STANDALONE,
];

/** Rates that are offered, as shares of what the process does when work waits. */
const SHARES = [0.4, 0.6, 0.75, 0.9, 1, 1.15];
const ROUNDS = 3;
/** Of each rate in each round: at least so long, and so many pieces of work. */
const SECONDS = 2;
const PIECES = 40;

export interface KindCapacity extends Pick<Kind, 'title' | 'unit' | 'limitMs' | 'work'> {
  /** Per second when work always waits. */
  readonly saturated: number;
  /** Medians over the rounds. */
  readonly steps: readonly Step[];
}

export interface CapacityRun {
  readonly kinds: readonly KindCapacity[];
  /** Bare inserts of a conversation into a table of one column per second, on the same PostgreSQL, before and after. */
  readonly bareInserts: readonly [before: number, after: number];
  readonly rounds: number;
  readonly secondsEach: number;
  readonly piecesEach: number;
}

/** Measures one process of each kind after the other, each in a deployment of its own. */
export async function measureCapacity(servers: Servers): Promise<CapacityRun> {
  const options = { servers, quick: false, profileFolder: undefined };
  const measureBare = () => withDeployment(options, ({ environment }) => measureBareInserts(environment));
  const before = await measureBare();
  const kinds: KindCapacity[] = [];
  for (const kind of KINDS) {
    kinds.push(
      await withDeployment(options, async (deployment) => {
        const prepared = await kind.prepare(deployment);
        try {
          return await measureKind(kind, prepared, deployment.environment);
        } finally {
          await prepared.close?.();
        }
      }),
    );
  }
  return {
    kinds,
    bareInserts: [before, await measureBare()],
    rounds: ROUNDS,
    secondsEach: SECONDS,
    piecesEach: PIECES,
  };
}

async function measureKind(
  { title, unit, limitMs, work }: Kind,
  prepared: Prepared,
  environment: BenchEnvironment,
): Promise<KindCapacity> {
  const saturated = await prepared.saturate();
  log(`${title}: ${saturated.toFixed(1)} ${unit}/s when work waits`);
  const rates = SHARES.map((share) => saturated * share);
  const offers = rates.map((rate) => ({ rate, seconds: Math.max(SECONDS, PIECES / rate) }));
  await prepared.stock?.(ROUNDS * offers.reduce((sum, { rate, seconds }) => sum + Math.ceil(rate * seconds), 0));
  const readDatabaseCpu = await findDatabaseCpu(environment.superuser);
  const measured = rates.map((): Step[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, offered] of offers.entries())
      measured[index]!.push(await measureStep(prepared, offered, readDatabaseCpu));
  }
  const steps = measured.map(toMedians);
  for (const { offered, carried, p95, cores } of steps)
    log(
      `${title}: ${carried.toFixed(1)} of ${offered.toFixed(1)}/s, p95 ${p95.toFixed(0)} ms, ${cores.toFixed(2)} cores`,
    );
  return { title, unit, limitMs, work, saturated, steps };
}

async function measureStep(
  { process, offer }: Prepared,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
  readDatabaseCpu: (() => number) | undefined,
): Promise<Step> {
  const [before, databaseBefore] = [await process.probe(), readDatabaseCpu?.()];
  const { due, done } = await offer(rate, seconds);
  const [after, databaseAfter] = [await process.probe(), readDatabaseCpu?.()];
  // The CPU of the work, in the time in which it came: what lies before it is due is idle.
  const busyMs = Math.max(...done) - Math.min(...due);
  return {
    offered: rate,
    ...summarizeOffered({ due, done }),
    cores: (after.cpuMs - before.cpuMs) / busyMs,
    databaseCores: databaseAfter === undefined ? null : (databaseAfter - databaseBefore!) / busyMs,
    rssMb: after.rssMb,
  };
}

function toMedians(rounds: readonly Step[]): Step {
  const of = (figure: (step: Step) => number) => Number(median(rounds.map(figure)).toPrecision(4));
  return {
    offered: of(({ offered }) => offered),
    carried: of(({ carried }) => carried),
    p50: of(({ p50 }) => p50),
    p95: of(({ p95 }) => p95),
    cores: of(({ cores }) => cores),
    databaseCores: rounds[0]!.databaseCores === null ? null : of(({ databaseCores }) => databaseCores!),
    rssMb: of(({ rssMb }) => rssMb),
  };
}

async function measureBareInserts({ superuser, ids }: BenchEnvironment): Promise<number> {
  await superuser.query('CREATE TABLE public.bare_inserts (id uuid PRIMARY KEY, body text NOT NULL)');
  const rng = new SeededRng(1);
  let serial = 0;
  return saturateWithRequests(() =>
    superuser.query({
      name: 'bare',
      text: 'INSERT INTO public.bare_inserts VALUES ($1, $2)',
      values: [ids.next(), JSON.stringify(createConversation(rng, serial++, 500))],
    }),
  );
}
