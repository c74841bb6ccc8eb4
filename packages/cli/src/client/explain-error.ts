import {
  AuthenticationError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  ProblemError,
  TimeoutError,
} from '@annals/sdk';
import { Failure } from '../failure.js';

/** What to do about an error of the client; other errors are returned as they are. */
export function explainError(error: unknown): unknown {
  if (error instanceof Failure) return error;
  const because = { cause: error };
  if (error instanceof AuthenticationError) {
    return new Failure('The API key is unknown or expired: set ANNALS_API_KEY to a valid one.', 2, because);
  }
  if (error instanceof PermissionError || error instanceof NotFoundError) return new Failure(error.message, 2, because);
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return new Failure(
      `Annals does not answer (${error.message}). Run the same command again, and it goes on.`,
      3,
      because,
    );
  }
  if (error instanceof ProblemError) {
    const isPassing = error.status === 429 || error.status >= 500;
    return new Failure(
      isPassing ? `${error.message} Run the same command again, and it goes on.` : error.message,
      isPassing ? 3 : 2,
      because,
    );
  }
  return error;
}
