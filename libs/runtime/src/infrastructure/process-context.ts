import {
  type Clock,
  type IdGenerator,
  type Pause,
  pauseForEventLoop,
  readSystemRandomBytes,
  type Rng,
  SystemClock,
  SystemRng,
  UuidV7Generator,
} from '@annals/domain';
import {
  createLogger,
  createMetrics,
  type Logger,
  type LoggerOptions,
  type LogLevel,
  type Metrics,
} from '@annals/observability';
import { readFileSync } from 'node:fs';

/** What a process needs before it connects to anything. */
export interface ProcessContext {
  /** Name of the service, for logs, metrics and connections: `gateway`, `extraction` … */
  readonly name: string;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly ids: IdGenerator;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Lets other work of the process go on, between two slices of a long computation. */
  readonly pause: Pause;
}

export interface ProcessContextOptions {
  readonly name: string;
  readonly version: string;
  readonly logLevel: LogLevel;
  /** Where logs go; standard output unless given. */
  readonly logDestination?: LoggerOptions['destination'];
  /** Off in tests, which create many contexts in one process. */
  readonly processMetrics?: boolean;
}

export function createProcessContext(options: ProcessContextOptions): ProcessContext {
  const { name, version, logLevel, logDestination, processMetrics = true } = options;
  const clock = new SystemClock();
  return {
    name,
    clock,
    rng: new SystemRng(),
    ids: new UuidV7Generator(clock),
    logger: createLogger({
      service: name,
      level: logLevel,
      clock,
      ...(logDestination ? { destination: logDestination } : {}),
    }),
    metrics: createMetrics({ service: name, version, processMetrics }),
    pause: pauseForEventLoop,
  };
}

/** Version of the package whose compiled main.js calls this: `readVersion(import.meta.url)`. */
export function readVersion(mainUrl: string): string {
  const text = readFileSync(new URL('../package.json', mainUrl), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Random bytes as a Buffer, the type that database writes take. */
export function randomBytes(size: number): Buffer {
  return Buffer.from(readSystemRandomBytes(size));
}
