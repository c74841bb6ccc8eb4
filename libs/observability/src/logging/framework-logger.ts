import type { Logger, LogLevel } from './logger.types.js';

/** The interface that Nest requires of a logger (`LoggerService`), without importing Nest. */
export interface FrameworkLogger {
  log(message: unknown, ...rest: unknown[]): void;
  error(message: unknown, ...rest: unknown[]): void;
  warn(message: unknown, ...rest: unknown[]): void;
  debug(message: unknown, ...rest: unknown[]): void;
  verbose(message: unknown, ...rest: unknown[]): void;
  fatal(message: unknown, ...rest: unknown[]): void;
}

/**
 * Logs messages of Nest as the event `framework_message`; routine lines (routes, modules) at level debug. An error
 * becomes `framework_error` without its message, also where Nest passes message and stack as two strings.
 */
export function createFrameworkLogger(logger: Logger): FrameworkLogger {
  const forward =
    (level: LogLevel) =>
    (message: unknown, ...rest: unknown[]) => {
      const source = findSource(rest);
      const error = findError(message, rest);
      if (error) logger[level]('framework_error', { source, error });
      else logger[level]('framework_message', { source, note: String(message) });
    };
  return {
    log: forward('debug'),
    error: forward('error'),
    warn: forward('warn'),
    debug: forward('debug'),
    verbose: forward('debug'),
    fatal: forward('error'),
  };
}

/** Nest passes the name of the logging class as the last argument. */
function findSource(rest: readonly unknown[]): string {
  const last = rest.at(-1);
  return typeof last === 'string' && /^[\w.$-]{1,60}$/.test(last) ? last : 'framework';
}

function findError(message: unknown, rest: readonly unknown[]): Error | undefined {
  if (message instanceof Error) return message;
  const passed = rest.find((value) => value instanceof Error);
  if (passed instanceof Error) return passed;
  const stack = rest.find((value) => typeof value === 'string' && /\n\s+at /.test(value));
  if (typeof stack !== 'string') return undefined;
  const error = new Error(String(message));
  error.stack = stack;
  return error;
}
