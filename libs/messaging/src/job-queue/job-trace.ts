import { propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';

export interface AddSpan {
  /** What the worker's span becomes a child of, as BullMQ stores it. */
  readonly metadata: string;
  end(): void;
}

/**
 * The step from a request to the queue, as a child of the span in `traceparent`: the job's span is a child of it, so
 * that one trace runs from HTTP to the worker. Null without a trace.
 */
export function startAddSpan(queue: string, traceparent: string | null): AddSpan | null {
  if (traceparent === null) return null;
  const parent = propagation.extract(ROOT_CONTEXT, { traceparent });
  const span = trace.getTracer('annals').startSpan(`add ${queue}`, { kind: SpanKind.PRODUCER }, parent);
  const carrier: Record<string, string> = {};
  propagation.inject(trace.setSpan(parent, span), carrier);
  // Without a propagator in this process the worker's process may still have one.
  const metadata = JSON.stringify(carrier.traceparent ? carrier : { traceparent });
  return { metadata, end: () => span.end() };
}
