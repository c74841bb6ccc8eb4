/** A question is a call and its correction. */
const CALLS_PER_QUESTION = 2;
/** For admission of the calls before, and the transaction behind them. */
const MARGIN_MS = 30_000;

/** Durations in ms. */
export interface QuestionTimes {
  /** Of a run so far. */
  readonly elapsedMs: number;
  /** Timeout of one call of a model. */
  readonly callTimeoutMs: number;
  /** Timeout of the job that the run is done in. */
  readonly jobTimeoutMs: number;
}

/**
 * Whether a question that begins now ends within the time of its job. A run that has something to write ends as a part
 * when there is none: what it paid for would be lost with the job.
 */
export function hasTimeForQuestion({ elapsedMs, callTimeoutMs, jobTimeoutMs }: QuestionTimes): boolean {
  return elapsedMs + CALLS_PER_QUESTION * callTimeoutMs + MARGIN_MS < jobTimeoutMs;
}
