import type { Logger } from '@annals/observability';

const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
/** SQLSTATE classes "connection exception" and "operator intervention: shutdown". */
const SQL_STATES = /^(?:08...|57P0.)$/;
const MESSAGES = /^Connection (?:is closed|terminated)/;

export function isConnectionFailure(error: Error & { readonly code?: unknown }): boolean {
  const code = typeof error.code === 'string' ? error.code : '';
  return SOCKET_CODES.has(code) || SQL_STATES.test(code) || MESSAGES.test(error.message);
}

/**
 * What a BullMQ worker says in its 'error' event. Lost connections are told once by the outage tracker; here, where
 * each connection and each retry says so again, they are details.
 */
export function reportWorkerError(logger: Logger, error: Error): void {
  const level = isConnectionFailure(error) ? 'debug' : 'warn';
  logger[level]('framework_error', { source: 'bullmq', error });
}
