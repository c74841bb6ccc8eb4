import { listPlaceholders } from '@annals/domain';
import type { Redactor } from '@annals/runtime';
import { invalidFields } from '../http/parse-input.js';

/**
 * The placeholders that a text must contain (docs/reference/privacy.md#asking-and-deleting-by-value); null without a
 * value. Throws `validation_failed`, naming the field `path`, for a value that redaction would leave as it is.
 */
export function parseMentions(value: string | undefined, path: string, redactor: Redactor): readonly string[] | null {
  if (value === undefined) return null;
  const placeholders = listPlaceholders(redactor.redact(value));
  if (placeholders.length > 0) return placeholders;
  const message =
    'Give a value that is redacted, such as an e-mail address or a phone number with its country code, or its placeholder.';
  throw invalidFields([{ path, message }]);
}
