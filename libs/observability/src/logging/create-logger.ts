import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type Logger as Pino, pino } from 'pino';
import { currentTraceId } from '../tracing/spans.js';
import { buildEnvelope } from './envelope.js';
import { type EventDefinition, type EventName, EVENTS } from './events.js';
import type { Logger, LogLevel } from './logger.types.js';

export interface LoggerOptions {
  /** Name of the service, written on every line. */
  readonly service: string;
  readonly level: LogLevel;
  readonly clock: { now(): number };
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

/**
 * Creates a logger that writes the log envelope (docs/reference/logging-and-metrics.md#log-envelope), one JSON object
 * per line.
 */
export function createLogger({ service, level, clock, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service },
    timestamp: () => `,"timestamp":"${new Date(clock.now()).toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const writer = destination ? pino(options, destination) : pino(options);
  return wrap(writer, writer.child({}, { level: 'debug' }), {});
}

/** `auditor` writes to the same destination whatever the level is. */
function wrap(writer: Pino, auditor: Pino, bound: Readonly<Record<string, unknown>>): Logger {
  const write = (level: LogLevel) => (event: EventName, fields?: Readonly<Record<string, unknown>>) => {
    const { audit }: EventDefinition = EVENTS[event];
    if (!audit && !writer.isLevelEnabled(level)) return;
    const line: Record<string, unknown> = { ...bound, ...fields };
    line.requestId ??= requestIds.getStore();
    (audit ? auditor : writer)[level](buildEnvelope(event, line, currentTraceId()));
  };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    isEnabled: (level) => writer.isLevelEnabled(level),
    child: (fields) => wrap(writer, auditor, { ...bound, ...fields }),
  };
}

const requestIds = new AsyncLocalStorage<string>();

/** Runs `work`; everything it starts, asynchronous work included, logs with this request id. */
export function runWithRequestId<T>(requestId: string, work: () => T): T {
  return requestIds.run(requestId, work);
}
