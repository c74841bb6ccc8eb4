import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { scrubSpans } from './scrub-spans.js';

function scrub(span: Partial<ReadableSpan>): ReadableSpan {
  const exported: ReadableSpan[] = [];
  const exporter: SpanExporter = { export: (spans) => void exported.push(...spans), shutdown: async () => undefined };
  const whole = {
    kind: SpanKind.INTERNAL,
    attributes: {},
    events: [],
    status: { code: SpanStatusCode.UNSET },
    ...span,
  };
  scrubSpans(exporter).export([whole as ReadableSpan], () => undefined);
  const [clean] = exported;
  if (!clean) throw new Error('Nothing was exported.');
  return clean;
}

describe('scrubSpans', () => {
  it('removes attributes that identify a person from spans of incoming requests', () => {
    const { attributes } = scrub({
      kind: SpanKind.SERVER,
      attributes: {
        'http.route': '/v1/users/{id}',
        'http.request.method': 'GET',
        'url.path': '/v1/users/ada@example.org',
        'url.query': '?q=secret',
        'url.full': 'http://h/v1/users/ada@example.org?q=secret',
        'http.target': '/v1/users/ada@example.org?q=secret',
        'client.address': '10.0.0.1',
        'network.peer.address': '10.0.0.1',
        'user_agent.original': 'Ada/1.0',
        'http.response.status_code': 200,
      },
    });
    expect(attributes).toEqual({
      'http.route': '/v1/users/{id}',
      'http.request.method': 'GET',
      'http.response.status_code': 200,
    });
  });

  it('removes query and fragment from URLs of outgoing requests', () => {
    const { attributes } = scrub({
      kind: SpanKind.CLIENT,
      attributes: { 'url.full': 'https://api.example.org/v1/embeddings?key=1#x', 'url.path': '/v1/embeddings' },
    });
    expect(attributes).toEqual({ 'url.full': 'https://api.example.org/v1/embeddings', 'url.path': '/v1/embeddings' });
  });

  it('replaces string literals in SQL, including literals with doubled quotes', () => {
    const text = "SELECT 'it''s Ada', $1 FROM memories WHERE \"kind\" = 'x'";
    const { attributes } = scrub({ attributes: { 'db.statement': text, 'db.query.text': text } });
    const clean = "SELECT '?', $1 FROM memories WHERE \"kind\" = '?'";
    expect(attributes).toEqual({ 'db.statement': clean, 'db.query.text': clean });
  });

  it('exports only the type and stack frames of an error', () => {
    const span = scrub({
      status: { code: SpanStatusCode.ERROR, message: 'Key (name)=(Ada) exists' },
      events: [
        {
          name: 'exception',
          time: [0, 0],
          attributes: {
            'exception.type': 'error',
            'exception.message': 'Key (name)=(Ada) exists',
            'exception.stacktrace':
              'error: Key (name)=(Ada) exists\n    at f (file:///a.js:1:2)\n    at file:///b.js:3:4',
          },
        },
      ],
    });
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(span.events[0]?.attributes).toEqual({
      'exception.type': 'error',
      'exception.stacktrace': '    at f (file:///a.js:1:2)\n    at file:///b.js:3:4',
    });
  });

  it('does not modify the original span', () => {
    const attributes = { 'url.query': 'q', other: 1 };
    const clean = scrub({ attributes, name: 'step' });
    expect([clean.name, clean.attributes, attributes]).toEqual(['step', { other: 1 }, { 'url.query': 'q', other: 1 }]);
  });
});
