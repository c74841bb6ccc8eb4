import type { Logger } from '@annals/observability';

const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
/** SQLSTATE classes "connection exception" and "operator intervention: shutdown". */
const SQL_STATES = /^(?:08...|57P0.)$/;
const MESSAGES = /^Connection (?:is closed|terminated)/;

function isConnectionFailure(error: Error & { readonly code?: unknown }): boolean {
  const code = typeof error.code === 'string' ? error.code : '';
  return SOCKET_CODES.has(code) || SQL_STATES.test(code) || MESSAGES.test(error.message);
}

/**
 * Logs the 'error' event of a BullMQ worker. A lost connection is logged once by the outage tracker; here, where every
 * connection and every retry repeats it, it is logged at debug.
 */
export function reportWorkerError(logger: Logger, error: Error): void {
  const level = isConnectionFailure(error) ? 'debug' : 'warn';
  logger[level]('framework_error', { source: 'bullmq', error });
}
