import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { suppressTracing } from '@opentelemetry/core';

const TRACER_NAME = 'annals';

/** Span attributes: ids, counts and names. Never user content. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Runs `work` inside a span. Without a configured exporter the API returns a non-recording span, so the overhead is one
 * call. A failure sets the span status to error and is rethrown; its message is not recorded.
 */
export async function withSpan<T>(
  name: string,
  attributes: SpanAttributes,
  work: (span: Span) => Promise<T> | T,
  kind: SpanKind = SpanKind.INTERNAL,
): Promise<T> {
  return trace.getTracer(TRACER_NAME).startActiveSpan(name, { kind, attributes: { ...attributes } }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      if (error instanceof Error) span.setAttribute('error.type', error.name);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/**
 * Runs `work` outside of every trace and without spans of its own: requests to addresses that somebody else gave carry no
 * `traceparent`, and no exporter is told their paths, which can be secrets.
 */
export function withoutTracing<T>(work: () => T): T {
  return context.with(suppressTracing(ROOT_CONTEXT), work);
}

/** The W3C traceparent of the active span; undefined when tracing is off or no span is active. */
export function currentTraceparent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** Names the active HTTP span by its route pattern, because the path itself is not exported. */
export function setHttpSpanName(method: string, route: string): void {
  const span = trace.getActiveSpan();
  if (!span?.isRecording()) return;
  span.updateName(`${method} ${route}`);
  span.setAttribute('http.route', route);
}

/** The id of the active trace, for logs; undefined when there is none. */
export function currentTraceId(): string | undefined {
  return trace.getActiveSpan()?.spanContext().traceId;
}
