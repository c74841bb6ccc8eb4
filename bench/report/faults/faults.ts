/** What breaks, in a sentence of the report, and for how long. */
interface FaultKind {
  readonly title: string;
  /** Shortest and longest time until it is over, in ms. */
  readonly durationMs: readonly [min: number, max: number];
}

export const SERVICES = ['gateway', 'extraction', 'persistence', 'tom-insight', 'consolidation-worker'] as const;
type Service = (typeof SERVICES)[number];

const AT_ONCE = [0, 0] as const;
/** A process that was killed is missing for so long, as until its supervisor starts it again. */
const MISSING = [1_000, 5_000] as const;
const SHORT = [3_000, 8_000] as const;
/** Longer than the timeout of a call, so that calls do end by it. */
const PROVIDER = [8_000, 20_000] as const;

const OF_SERVERS = {
  'postgres-restart': { title: 'PostgreSQL is restarted (fast shutdown)', durationMs: AT_ONCE },
  'postgres-kill': { title: 'PostgreSQL is killed (kill -9), and recovers from its log', durationMs: MISSING },
  'postgres-pause': { title: 'PostgreSQL stands still (SIGSTOP)', durationMs: SHORT },
  'redis-kill': { title: 'Redis is killed (kill -9), and comes back empty', durationMs: MISSING },
  'redis-flush': { title: 'Redis loses everything (FLUSHALL)', durationMs: AT_ONCE },
  'redis-pause': { title: 'Redis stands still (SIGSTOP)', durationMs: SHORT },
  'model-500': { title: 'the models answer 500', durationMs: PROVIDER },
  'model-429': { title: 'the models answer 429', durationMs: PROVIDER },
  'model-hang': { title: 'the models accept requests and never answer', durationMs: PROVIDER },
  'model-garbage': { title: 'the models answer with something that is no JSON', durationMs: PROVIDER },
  'model-cut': { title: 'the models break off in the middle of each answer', durationMs: PROVIDER },
  'model-reset': { title: 'the models drop every connection', durationMs: PROVIDER },
} as const satisfies Record<string, FaultKind>;

type OfService<Name extends string> = Record<`kill ${Name}` | `restart ${Name}`, FaultKind>;

function describeService(name: Service): [string, FaultKind][] {
  return [
    [`kill ${name}`, { title: `one process of ${name} is killed (kill -9)`, durationMs: MISSING }],
    [`restart ${name}`, { title: `one process of ${name} is restarted (SIGTERM)`, durationMs: AT_ONCE }],
  ];
}

/** Every fault by its name, as in the results. */
export const FAULTS = {
  ...(Object.fromEntries(SERVICES.flatMap(describeService)) as OfService<Service>),
  ...OF_SERVERS,
};
export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];
