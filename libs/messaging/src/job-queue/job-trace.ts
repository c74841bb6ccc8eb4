import { propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';

export interface AddSpan {
  /** Parent of the worker's span, as BullMQ stores it. */
  readonly metadata: string;
  end(): void;
}

/**
 * Starts the span of adding a job, a child of the span in `traceparent` and the parent of the job's span, so that one
 * trace runs from HTTP to the worker. Null without a trace.
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
