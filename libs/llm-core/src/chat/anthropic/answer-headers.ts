const PASSED = /^(?:retry-after(?:-ms)?|x-should-retry|anthropic-ratelimit-.+)$/;

/** Names of fields come from the client; others than these have no place in a header. */
const FIELD_NAME = /^[\w.[\]-]{1,100}$/;
const MAX_IGNORED = 50;

interface HeaderFacts {
  readonly isStreamed?: boolean;
  readonly ignored?: readonly string[];
}

/** The headers of an answer: those of the upstream that tell a client something, and what was left out of its request. */
export function buildHeaders(
  upstream: Headers | undefined,
  { isStreamed = false, ignored = [] }: HeaderFacts = {},
): Record<string, string> {
  const requestId = upstream?.get('request-id');
  const told = ignored.filter((field) => FIELD_NAME.test(field)).slice(0, MAX_IGNORED);
  return {
    'content-type': isStreamed ? 'text/event-stream; charset=utf-8' : 'application/json; charset=utf-8',
    ...Object.fromEntries([...(upstream ?? [])].filter(([name]) => PASSED.test(name))),
    ...(requestId ? { 'x-upstream-request-id': requestId } : {}),
    ...(told.length > 0 ? { 'x-annals-ignored': told.join(', ') } : {}),
  };
}
