import {
  type FieldError,
  type ProblemCode,
  ProblemError,
  type RouteDefinition,
  type RouteInput,
} from '@annals/contracts';
import type { z } from 'zod';
import { describeSchemaIssue } from './describe-issue.js';

/** Bounds the response to a request with many errors. */
const MAX_FIELD_ERRORS = 20;

/** The parts of a request as they were sent. */
export interface SentInput {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Parses parameters, query and body of a request by the schemas of its route. Throws `validation_failed`. */
export function parseInput<Route extends RouteDefinition>(route: Route, request: SentInput): RouteInput<Route> {
  return {
    params: route.params && parsePart('params', route.params, request.params),
    query: route.query ? parsePart('query', route.query, request.query) : refuseQuery(request.query),
    body: route.body ? parsePart('body', route.body, request.body) : refuseBody(request.body),
  } as RouteInput<Route>;
}

function refuseQuery(query: unknown): undefined {
  if (Object.keys(query ?? {}).length === 0) return undefined;
  throw new ProblemError('validation_failed', 'Remove the query string: this route takes none.', {
    errors: [{ path: 'query', message: 'This route takes no query.' }],
  });
}

function refuseBody(body: unknown): undefined {
  const isObject = typeof body === 'object' && !Array.isArray(body);
  if (body === undefined || (isObject && Object.keys(body ?? {}).length === 0)) return undefined;
  throw new ProblemError('validation_failed', 'Remove the body: this route takes none.', {
    errors: [{ path: 'body', message: 'This route takes no body.' }],
  });
}

/** Parses one part of a request. Throws `validation_failed`, which names the fields and never contains a value. */
export function parsePart<Schema extends z.ZodType>(part: string, schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { error: describeSchemaIssue });
  if (result.success) return result.data;
  const errors = Map.groupBy(
    result.error.issues.flatMap((issue) => describeIssue(part, issue)),
    ({ path }) => path,
  );
  // The further errors of a field are often consequences of its first one.
  throw invalidFields([...errors.values()].map(([first]) => first!));
}

/** A problem, by default `validation_failed`, for fields that break a rule which the schema cannot express. */
export function invalidFields(errors: readonly FieldError[], code: ProblemCode = 'validation_failed'): ProblemError {
  const shown = errors.slice(0, MAX_FIELD_ERRORS);
  const [first] = shown;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more, see errors)` : '';
  return new ProblemError(code, `Correct ${first!.path}: ${first!.message}${more}`, { errors: shown });
}

function describeIssue(part: string, issue: z.core.$ZodIssue): FieldError[] {
  const path = formatFieldPath(part, issue.path);
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
  // A body within the size limit has up to 100,000 unknown fields.
  return issue.keys
    .slice(0, MAX_FIELD_ERRORS)
    .map((key) =>
      isPlainName(key)
        ? { path: `${path}.${key}`, message: 'This field is unknown: remove it.' }
        : { path, message: 'This object has an unknown field: remove it.' },
    );
}

/** `['messages', 3, 'content']` in `body` is `body.messages[3].content`. Ends before a name that is not plain. */
function formatFieldPath(part: string, path: readonly PropertyKey[]): string {
  let text = part;
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (isPlainName(step)) text += `.${step}`;
    else return text;
  }
  return text;
}

// Names that are safe to repeat in a response: the name of an unknown field could contain user content.
const PLAIN_NAME = /^[\w.-]{1,64}$/;

function isPlainName(name: PropertyKey): name is string {
  return typeof name === 'string' && PLAIN_NAME.test(name);
}
