import { ConfigError, EXIT_CODE_CONFIG } from '@annals/config';
import type { Logger } from '@annals/observability';
import { flushCompileCache } from 'node:module';
import { type RunningService, type ServiceDefinition, startService } from './start-service.js';
import { isUserFacingError } from './start-failure.js';
import { yieldCpu } from './yield-cpu.js';

const EXIT_OK = 0;
const EXIT_FAILED = 1;

export interface RunOptions {
  /** Called once the service accepts requests. */
  onReady?(service: RunningService): void;
  /** Nobody waits for this service: other processes of the machine have the CPU first, once it has started. */
  readonly isBackground?: boolean;
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
    if (stopping.signal.aborted) exit(EXIT_OK);
    failAndExit(logger, 'start', error);
  }
  if (stopping.signal.aborted) return stopAndExit(service, 'stopped while starting');
  if (options.isBackground) yieldCpu();
  options.onReady?.(service);
  // With NODE_COMPILE_CACHE, the next start need not compile what this one has, however this process ends.
  flushCompileCache();
}

class StopRequested extends Error {
  override readonly name = 'StopRequested';
}

async function stopAndExit(service: RunningService, reason: string): Promise<void> {
  const inTime = await service.stop(reason);
  exit(inTime ? EXIT_OK : EXIT_FAILED);
}

function failAndExit(logger: Logger, stage: string, error: unknown): never {
  const isConfigError = error instanceof ConfigError;
  if (isConfigError || isUserFacingError(error)) process.stderr.write(`${error.message}\n`);
  else logger.error('service_failed', { stage, error });
  exit(isConfigError ? EXIT_CODE_CONFIG : EXIT_FAILED);
}

function exit(code: number): never {
  process.exit(code);
}
