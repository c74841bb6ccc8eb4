import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

/** The kinds of JSON values, as they appear in messages. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'items' };

/** What to send instead, without the value that was sent; undefined for rules with a message of their own. */
export function describeSchemaIssue(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This field is required.' : `Send ${describeKind(issue.expected)}.`;
    case 'too_small':
      return `Send at least ${describeSize(issue.minimum, issue.origin)}.`;
    case 'too_big':
      return `Send at most ${describeSize(issue.maximum, issue.origin)}.`;
    case 'invalid_value':
      return `Use one of: ${issue.values.map(String).join(', ')}.`;
    case 'invalid_format':
      return describeFormat(issue.format);
    default:
      return undefined;
  }
}

function describeKind(kind: string): string {
  return KINDS[kind] ?? kind;
}

function describeSize(size: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  return unit === undefined ? String(size) : `${size} ${size === 1 ? unit.slice(0, -1) : unit}`;
}

function describeFormat(format: string): string | undefined {
  if (format === 'datetime') return 'Send a time with a time zone, for example 2026-05-04T09:12:00Z.';
  if (format === 'date') return 'Send a UTC day, for example 2026-11-22.';
  if (format === 'uuid') return 'Send an id exactly as a response returned it: a UUID.';
  return undefined;
}
