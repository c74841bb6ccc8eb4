import { sqlState } from '@annals/storage';

const IDENTIFIER = /^[\w.:-]{1,80}$/;

/** What may be stored of the error of a job: its name and SQLSTATE, never its message, which can quote a row. */
export function formatErrorName(error: unknown): string {
  const name = error instanceof Error && IDENTIFIER.test(error.name) ? error.name : 'Error';
  const state = sqlState(error);
  return state === undefined ? name : `${name} ${state}`;
}
