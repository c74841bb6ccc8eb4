import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

const TRACER_NAME = 'annals';

/** Safe facts about a step: ids, counts, names. Never user content. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Runs `work` inside a span. Without a configured exporter the API hands out a span that records nothing, so this
 * costs one call. A failure marks the span and goes on to the caller; its message stays out of the trace.
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

/** The W3C traceparent of the active span; undefined when tracing is off or no span is active. */
export function currentTraceparent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** Runs `work` as a child of the span that `traceparent` names; without one, or with tracing off, just runs it. */
export function runWithTraceparent<T>(traceparent: string | undefined | null, work: () => T): T {
  if (!traceparent) return work();
  return context.with(propagation.extract(context.active(), { traceparent }), work);
}

/** Gives the active HTTP span its route pattern, since the path itself stays out of traces. */
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

export { SpanKind };
