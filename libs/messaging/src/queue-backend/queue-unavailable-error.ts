/** The queue did not answer in time or cannot be reached. Nothing is lost: the work stays in the outbox. */
export class QueueUnavailableError extends Error {
  readonly code = 'queue_unavailable';

  constructor(operation: string, cause?: unknown) {
    super(`The queue is not reachable (${operation}). Work waits in the outbox until it answers again.`, { cause });
    this.name = 'QueueUnavailableError';
  }
}
