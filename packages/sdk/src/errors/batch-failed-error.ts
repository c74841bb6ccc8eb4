import type { Batch } from '../generated/types.js';
import { AnnalsError } from './annals-error.js';

/** A batch failed, so its messages are stored and can be recalled, and nothing was extracted from them. */
export class BatchFailedError extends AnnalsError {
  override readonly name = 'BatchFailedError';
  constructor(readonly batch: Batch) {
    const reason = batch.error ? ` (${batch.error.code}): ${batch.error.message}` : '.';
    super(`Batch ${batch.id} failed${reason} To run it again: annals.batches.replay('${batch.id}').`);
  }
}
