import type { Telemetry } from 'bullmq';
import { BullMQOtel } from 'bullmq-otel';

/** Spans for workers, under the tracer provider that the process registered. */
export function createQueueTelemetry(): Telemetry {
  return new BullMQOtel({ tracerName: 'annals' });
}
