import { type FieldError, ProblemError } from '@annals/contracts';
import type { z } from 'zod';
import { describeSchemaIssue } from './describe-issue.js';
import { formatFieldPath, isPlainName } from './field-path.js';

/** More would help nobody and make the answer grow with the mistake. */
const MAX_FIELD_ERRORS = 20;

type Issue = z.core.$ZodIssue;

/** One part of a request by its schema. Throws `validation_failed` that names the fields and never shows a value. */
export function parsePart<Schema extends z.ZodType>(part: string, schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { error: describeSchemaIssue });
  if (result.success) return result.data;
  throw invalidFields(keepFirstOfEach(result.error.issues.flatMap((issue) => describeIssue(part, issue))));
}

/** A `validation_failed` for fields that break a rule the schema cannot hold. */
export function invalidFields(errors: readonly FieldError[]): ProblemError {
  const shown = errors.slice(0, MAX_FIELD_ERRORS);
  const [first] = shown;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more, see errors)` : '';
  return new ProblemError('validation_failed', `Correct ${first!.path}: ${first!.message}${more}`, { errors: shown });
}

/** What breaks one rule often breaks the next: of those about one field, the first is the one to mend. */
function keepFirstOfEach(errors: readonly FieldError[]): FieldError[] {
  return [...Map.groupBy(errors, ({ path }) => path).values()].map(([first]) => first!);
}

function describeIssue(part: string, issue: Issue): FieldError[] {
  const path = formatFieldPath(part, issue.path);
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
  return issue.keys.map((key) =>
    isPlainName(key)
      ? { path: `${path}.${key}`, message: 'This field is unknown: remove it.' }
      : { path, message: 'It has a field with an unknown name: remove it.' },
  );
}
