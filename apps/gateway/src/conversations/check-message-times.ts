import type { FieldError, MessageInput } from '@annals/contracts';
import { invalidFields } from '../http/parse-part.js';

/** Clocks of callers may be wrong by a time zone, but what was said was not said the day after tomorrow. */
const FUTURE_TOLERANCE_MS = 24 * 60 * 60 * 1_000;

/** Throws `validation_failed` for messages said more than a day in the future. `now` in epoch ms. */
export function checkMessageTimes(messages: readonly MessageInput[], now: number): void {
  const latest = now + FUTURE_TOLERANCE_MS;
  const errors = messages.flatMap(({ created_at }, index): FieldError[] =>
    created_at !== undefined && Date.parse(created_at) > latest
      ? [{ path: `body.messages[${index}].created_at`, message: 'Give a time that is not in the future.' }]
      : [],
  );
  if (errors.length > 0) throw invalidFields(errors);
}
