import { ProblemError } from '@annals/contracts';

/** The problem that `work` throws; anything else fails the test. */
export function catchProblem(work: () => unknown): ProblemError {
  try {
    work();
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error('No problem was thrown.');
}
