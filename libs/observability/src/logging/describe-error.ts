/** What may be logged about an error: never its message, which can quote a row, a request or a response. */
export interface ErrorDescription {
  readonly name: string;
  readonly code?: string | number;
  /** HTTP status of a provider's error. */
  readonly status?: number;
  /** Name of the violated constraint of a database error. */
  readonly constraint?: string;
  /** Stack frames, without the line that repeats the message. */
  readonly frames: readonly string[];
  readonly cause?: ErrorDescription;
}

const IDENTIFIER = /^[\w.:-]{1,80}$/;
const MAX_FRAMES = 12;
const MAX_CAUSES = 3;
/** `at f (file:line:column)`, `at file:line:column`, `at async f (…)`, `at new C (…)`: the shapes V8 writes. */
const FRAME =
  /^\s+at (?:(?:async )?(?:new )?[\w$.<>#[\] ]+ \((?:[^()]+:\d+:\d+|native|<anonymous>|index \d+)\)|(?:async )?[^()\s]+:\d+:\d+)$/;

export function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { name: `thrown ${error === null ? 'null' : typeof error}`, frames: [] };
  const details = error as Error & { code?: unknown; status?: unknown; constraint?: unknown };
  return {
    name: IDENTIFIER.test(error.name) ? error.name : 'Error',
    ...(isCode(details.code) ? { code: details.code } : {}),
    ...(typeof details.status === 'number' ? { status: details.status } : {}),
    ...(isName(details.constraint) ? { constraint: details.constraint } : {}),
    frames: parseFrames(error),
    ...(error.cause !== undefined && depth < MAX_CAUSES ? { cause: describeError(error.cause, depth + 1) } : {}),
  };
}

function parseFrames({ stack, message }: Error): string[] {
  if (typeof stack !== 'string') return [];
  // The message may contain lines that look like frames, so it is removed first.
  const start = message === '' ? -1 : stack.indexOf(message);
  const rest = start === -1 ? stack : stack.slice(start + message.length);
  return rest
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => line.trim());
}

function isCode(code: unknown): code is string | number {
  return typeof code === 'number' || isName(code);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && IDENTIFIER.test(value);
}
