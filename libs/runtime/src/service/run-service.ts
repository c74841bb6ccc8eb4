import { ConfigError, EXIT_CODE_CONFIG } from '@annals/config';
import type { Logger } from '@annals/observability';
import { flushCompileCache } from 'node:module';
import { type RunningService, type ServiceDefinition, startService } from './start-service.js';
import { isUserFacingError } from './start-failure.js';
import { yieldCpu } from './yield-cpu.js';

const EXIT_OK = 0;
const EXIT_FAILED = 1;

/** How long a process that has closed everything may take to end by itself, in ms. ioredis retains a timer for longer. */
const END_TIMEOUT_MS = 500;

export interface RunOptions {
  /** Called once the service accepts requests. */
  onReady?(service: RunningService): void;
  /** By how much other processes of the machine have the CPU first, once the service has started: 0 (not) to 19. Default: 0. */
  readonly nice?: number;
}

/**
 * The lifecycle of a service, for main.ts: starts it, shuts it down in order on SIGTERM or SIGINT, and ends the
 * process. A second signal ends the process immediately, and so does an uncaught error: another process resumes the
 * unfinished work.
 */
export async function runService(definition: ServiceDefinition, options: RunOptions = {}): Promise<void> {
  const { logger } = definition.context;
  const stopping = new AbortController();
  let service: RunningService | undefined;
  let signals = 0;
  const onSignal = (signal: NodeJS.Signals) => {
    signals += 1;
    if (signals > 1) exit(EXIT_FAILED);
    stopping.abort(new StopRequested());
    if (service) void stopAndExit(service, signal);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('uncaughtException', (error) => failAndExit(logger, 'uncaught exception', error));
  process.on('unhandledRejection', (error) => failAndExit(logger, 'unhandled rejection', error));
  try {
    service = await startService(definition, stopping.signal);
  } catch (error) {
    return endByItself(stopping.signal.aborted ? EXIT_OK : reportFailure(logger, 'start', error));
  }
  if (stopping.signal.aborted) return stopAndExit(service, 'stopped while starting');
  if (options.nice) yieldCpu(options.nice);
  options.onReady?.(service);
  // With NODE_COMPILE_CACHE, the next start need not compile what this one has, however this process ends.
  flushCompileCache();
}

class StopRequested extends Error {
  override readonly name = 'StopRequested';
}

async function stopAndExit(service: RunningService, reason: string): Promise<void> {
  const inTime = await service.stop(reason);
  if (!inTime) exit(EXIT_FAILED);
  endByItself(EXIT_OK);
}

/**
 * Ends the process once nothing is left to do. `process.exit` would wait forever for a thread of V8 that compiles and
 * waits for this one to collect garbage (https://github.com/nodejs/node/issues/54918); after the timeout V8 has long
 * compiled what was running.
 */
function endByItself(code: number): void {
  process.exitCode = code;
  setTimeout(() => exit(code), END_TIMEOUT_MS).unref();
}

function failAndExit(logger: Logger, stage: string, error: unknown): never {
  exit(reportFailure(logger, stage, error));
}

/** Returns the exit code. */
function reportFailure(logger: Logger, stage: string, error: unknown): number {
  const isConfigError = error instanceof ConfigError;
  if (isConfigError || isUserFacingError(error)) process.stderr.write(`${error.message}\n`);
  else logger.error('service_failed', { stage, error });
  return isConfigError ? EXIT_CODE_CONFIG : EXIT_FAILED;
}

function exit(code: number): never {
  process.exit(code);
}
