import { DataFolderInUseError, DataFolderUnusableError } from '@annals/storage';

/** A process cannot start, for a reason that a person can fix: printed as one sentence, without a stack trace. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

/** True for errors whose message is a sentence that says what to do. */
export function isUserFacingError(error: unknown): error is Error {
  return [StartFailure, DataFolderInUseError, DataFolderUnusableError].some((kind) => error instanceof kind);
}
