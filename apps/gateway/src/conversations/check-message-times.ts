import type { FieldError, MessageInput } from '@annals/contracts';
import { invalidFields } from '../http/parse-part.js';

/** Callers' clocks may be off by a time zone, so up to 24 hours in the future is accepted. */
const FUTURE_TOLERANCE_MS = 24 * 60 * 60 * 1_000;

/** Throws `validation_failed` for messages with a time more than 24 hours after `now` (epoch ms). */
export function checkMessageTimes(messages: readonly MessageInput[], now: number): void {
  const latest = now + FUTURE_TOLERANCE_MS;
  const errors = messages.flatMap(({ created_at }, index): FieldError[] =>
    created_at !== undefined && Date.parse(created_at) > latest
      ? [{ path: `body.messages[${index}].created_at`, message: 'Send a time that is not in the future.' }]
      : [],
  );
  if (errors.length > 0) throw invalidFields(errors);
}
