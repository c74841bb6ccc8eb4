import type { WorkJob, WorkKindOf } from '@annals/contracts';
import type { Clock } from '@annals/domain';
import type { JobError } from '@annals/messaging';
import type { Logger, Metrics } from '@annals/observability';
import { type Database, failBatch } from '@annals/storage';

export interface EndBatchDependencies {
  readonly database: Pick<Database, 'inTenant'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'inc'>;
}

/** Records that a batch has failed in the stage of `kind`, and why. Does nothing when it has ended or moved on. */
export async function endBatch(
  { database, clock, logger, metrics }: EndBatchDependencies,
  kind: WorkKindOf<'batch'>,
  { tenantId, subjectId: batchId, generation }: WorkJob,
  jobError: JobError,
): Promise<void> {
  const { code, message } = explainFailure(jobError.code);
  const ended = await database.inTenant(tenantId, (tx) =>
    failBatch(tx, { batchId, kind, generation, code, message, now: clock.now() }),
  );
  if (!ended) return;
  metrics.inc('memory_llm_batches_total', { state: 'failed' });
  logger.warn('batch_failed', { tenantId, batchId, reason: code });
}

/** What the API shows of a failed batch: a stable code, and a sentence without content of messages. */
export interface BatchFailure {
  readonly code: string;
  readonly message: string;
}

const REPLAY = 'Replay the batch.';

const MESSAGES: Readonly<Record<string, string>> = {
  timeout: `The job did not finish within its time limit. ${REPLAY}`,
  transient: `A service that the job needs, such as the model provider, was unreachable for too long. Replay the batch once it is reachable again.`,
  rate_limit: `The provider refused the call because of its rate limit. Replay the batch later.`,
  authentication: `The provider rejected the API key. Correct the provider's API key, then replay the batch.`,
  invalid_request: `The provider rejected the request as invalid. Check the configuration of the model, then replay the batch.`,
  policy: 'The provider declined to process this conversation. A replay will most likely fail in the same way.',
  parsing: `The provider's response could not be parsed, twice. ${REPLAY}`,
  ungrounded: `Nothing that the provider's response says is in the messages that it cites, twice. ${REPLAY}`,
  invalid_answer: `The provider's response broke the rules of what was asked for, twice. ${REPLAY}`,
  budget_exceeded: `The account at the provider has reached its own usage limit. Raise it at the provider, then replay the batch.`,
  budget_too_small: `One call may cost more than the whole budget of a day. Raise the budget or lower MEMORY_LLM_MAX_OUTPUT_TOKENS, then replay the batch.`,
  erased: 'The user was erased after the messages had been accepted. No action is needed.',
  stalled: `The job was started several times and never finished. ${REPLAY}`,
  too_many_failures: `Model calls for this failed several times, and nothing has changed since. ${REPLAY}`,
  internal: `An internal error occurred. ${REPLAY} If it fails again, search the logs for the id of the batch.`,
};

/** Codes of the queue and the stores, mapped to the codes of the API. */
const ALIASES: Readonly<Record<string, string>> = {
  queue_error: 'transient',
  stalled_too_often: 'stalled',
  database_timeout: 'timeout',
};

/** The failure that a batch shows for a job that ended with the error `code`; an unknown code is `internal`. */
export function explainFailure(code: string): BatchFailure {
  const named = ALIASES[code] ?? code;
  const message = MESSAGES[named];
  return message === undefined ? { code: 'internal', message: MESSAGES.internal! } : { code: named, message };
}
