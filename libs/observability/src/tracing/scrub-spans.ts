import { type Attributes, SpanKind } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/** Attributes that instrumentations add and that can carry user content or identify a person. */
const DROPPED_ATTRIBUTES = new Set([
  'url.query',
  'exception.message',
  'user_agent.original',
  'http.user_agent',
  'client.address',
  'http.client_ip',
  'db.statement.parameters',
  'db.postgresql.values',
]);
/** Paths of the project's own API contain user and thread ids; the route pattern is exported instead. */
const DROPPED_SERVER_ATTRIBUTES = new Set([
  'url.path',
  'url.full',
  'http.url',
  'http.target',
  'network.peer.address',
  'net.peer.ip',
  'net.sock.peer.addr',
]);
const URL_ATTRIBUTES = new Set(['url.full', 'http.url', 'http.target', 'url.path']);
const STATEMENT_ATTRIBUTES = new Set(['db.statement', 'db.query.text']);

/**
 * Wraps an exporter so that it receives copies without user content: no query strings, error messages, SQL literals, or
 * paths and addresses of callers.
 */
export function scrubSpans(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(scrubSpan), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function scrubSpan(span: ReadableSpan): ReadableSpan {
  const overridden = {
    attributes: scrubAttributes(span.attributes, span.kind),
    events: span.events.map((event) => ({ ...event, attributes: scrubAttributes(event.attributes ?? {}, span.kind) })),
    // The status description is dropped: for an error it is the error message.
    status: { code: span.status.code },
  };
  return Object.assign(Object.create(span) as ReadableSpan, overridden);
}

function scrubAttributes(attributes: Attributes, kind: SpanKind): Attributes {
  const clean: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (DROPPED_ATTRIBUTES.has(name) || (kind === SpanKind.SERVER && DROPPED_SERVER_ATTRIBUTES.has(name))) continue;
    clean[name] = typeof value === 'string' ? scrubText(name, value) : value;
  }
  return clean;
}

function scrubText(name: string, value: string): string {
  if (URL_ATTRIBUTES.has(name)) return value.replace(/[?#].*$/s, '');
  if (STATEMENT_ATTRIBUTES.has(name)) return value.replace(/'(?:[^']|'')*'/g, "'?'");
  if (name === 'exception.stacktrace')
    return value
      .split('\n')
      .filter((line) => /^\s+at .+:\d+:\d+\)?$/.test(line))
      .join('\n');
  return value;
}
