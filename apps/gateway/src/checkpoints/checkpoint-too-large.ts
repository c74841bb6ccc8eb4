import { ProblemError } from '@annals/contracts';

/** `what`: the field with what it has, such as `body.data is 1200 bytes of JSON`. */
export function checkpointTooLarge(what: string, maxBytes: number): ProblemError {
  return new ProblemError(
    'checkpoint_too_large',
    `${what}, and the maximum is ${maxBytes}: store less in it, or raise ` +
      'ANNALS_CHECKPOINT_MAX_BYTES (and ANNALS_BODY_LIMIT_BYTES above it).',
  );
}
