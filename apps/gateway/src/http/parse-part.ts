import { type FieldError, ProblemError } from '@annals/contracts';
import type { z } from 'zod';
import { describeSchemaIssue } from './describe-issue.js';
import { formatFieldPath, isPlainName } from './field-path.js';

/** Bounds the response to a request with many errors. */
const MAX_FIELD_ERRORS = 20;

type Issue = z.core.$ZodIssue;

/** Parses one part of a request. Throws `validation_failed`, which names the fields and never contains a value. */
export function parsePart<Schema extends z.ZodType>(part: string, schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { error: describeSchemaIssue });
  if (result.success) return result.data;
  throw invalidFields(takeFirstPerField(result.error.issues.flatMap((issue) => describeIssue(part, issue))));
}

/** A `validation_failed` for fields that break a rule which the schema cannot express. */
export function invalidFields(errors: readonly FieldError[]): ProblemError {
  const shown = errors.slice(0, MAX_FIELD_ERRORS);
  const [first] = shown;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more, see errors)` : '';
  return new ProblemError('validation_failed', `Correct ${first!.path}: ${first!.message}${more}`, { errors: shown });
}

/** The first error of each field: the further ones are often consequences of it. */
function takeFirstPerField(errors: readonly FieldError[]): FieldError[] {
  return [...Map.groupBy(errors, ({ path }) => path).values()].map(([first]) => first!);
}

function describeIssue(part: string, issue: Issue): FieldError[] {
  const path = formatFieldPath(part, issue.path);
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
  return issue.keys.map((key) =>
    isPlainName(key)
      ? { path: `${path}.${key}`, message: 'This field is unknown: remove it.' }
      : { path, message: 'This object has an unknown field: remove it.' },
  );
}
