/** What a failed batch tells its caller: a stable code, and a sentence without anyone's words. */
export interface BatchFailure {
  readonly code: string;
  readonly message: string;
}

const REPLAY = 'Replay the batch.';

const SENTENCES: Readonly<Record<string, string>> = {
  timeout: `The work did not end in time. ${REPLAY}`,
  transient: `A part that the work needs could not be reached for too long. Replay the batch once it answers again.`,
  rate_limit: `The provider refused the call because too many were made. Replay the batch later.`,
  authentication: `The provider refused its key. Correct the provider's key, then replay the batch.`,
  invalid_request: `The provider refused the request as wrong. Check the model's settings, then replay the batch.`,
  policy: 'The provider declined to work on this conversation. A replay will most likely end the same.',
  parsing: `The provider's answer could not be read, twice. ${REPLAY}`,
  budget_exceeded: `The provider's account has reached a limit of its own. Raise that, then replay the batch.`,
  budget_too_small: `One call may cost more than the whole budget of a day. Raise the budget, or lower the output tokens of a call, then replay the batch.`,
  erased: 'The user was erased after the messages had been accepted. There is nothing to do.',
  stalled: `The work was taken up several times and never finished. ${REPLAY}`,
  internal: `Something went wrong inside Annals. ${REPLAY} If it fails again, look for the batch's id in the logs.`,
};

/** Codes of the queue and of the stores, as the API names them. */
const ALIASES: Readonly<Record<string, string>> = {
  queue_error: 'transient',
  stalled_too_often: 'stalled',
  lock_lost: 'stalled',
};

/** The failure a batch shows for a job that ended with the fault `code`; an unknown code is `internal`. */
export function explainFailure(code: string): BatchFailure {
  const named = ALIASES[code] ?? code;
  const message = SENTENCES[named];
  return message === undefined ? { code: 'internal', message: SENTENCES.internal! } : { code: named, message };
}
