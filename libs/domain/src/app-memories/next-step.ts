/** The end of the creation of one app memory, and of one decision about eleven, in ms. */
export const APP_MEMORY_TIMEOUT_MS = 30_000;

/** `removal`: of the oldest, after a compaction came to nothing. */
export type AppMemoryTask = 'creation' | 'compaction' | 'removal';
/** `invalid_answer`: it cannot be parsed, or its memory or decision does not pass the checks. */
export type AppMemoryFailure = 'llm_error' | 'timeout' | 'invalid_answer' | 'database_error';
/**
 * `correct`: the answer goes back to the model with its problem. `skip`: no memory is made. `remove_oldest`: FIFO.
 * `wait`: the work stays and is tried again later.
 */
export type AppMemoryStep = 'retry' | 'correct' | 'skip' | 'remove_oldest' | 'wait';

/** First failure of a kind, and each one after it. */
type Steps = readonly [first: AppMemoryStep, again: AppMemoryStep];

/** See docs/reference/app-memories.md#failures. */
const STEPS: Readonly<Record<AppMemoryTask, Readonly<Record<AppMemoryFailure, Steps>>>> = {
  creation: {
    llm_error: ['skip', 'skip'],
    timeout: ['skip', 'skip'],
    invalid_answer: ['correct', 'skip'],
    database_error: ['retry', 'skip'],
  },
  compaction: {
    llm_error: ['remove_oldest', 'remove_oldest'],
    timeout: ['remove_oldest', 'remove_oldest'],
    invalid_answer: ['correct', 'remove_oldest'],
    database_error: ['retry', 'remove_oldest'],
  },
  removal: {
    // Nothing is asked of a model here.
    llm_error: ['wait', 'wait'],
    invalid_answer: ['wait', 'wait'],
    timeout: ['wait', 'wait'],
    database_error: ['retry', 'wait'],
  },
};

/** What follows a failure, the `count`th of its kind in this task, from 1 on. Every failure is logged. */
export function nextAppMemoryStep(task: AppMemoryTask, failure: AppMemoryFailure, count: number): AppMemoryStep {
  const [first, again] = STEPS[task][failure];
  return count > 1 ? again : first;
}
