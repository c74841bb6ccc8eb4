import { waitUntil } from '@annals/testing';
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { TracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { createWorkJob, QueueFixture, type QueueTarget, testDefinition } from '../fixtures/queue.fixture.js';

/** The contract suite of tracing: one trace runs from a request over the queue into the handler. */
export function describeTracing(getTarget: () => QueueTarget): void {
  const exporter = new InMemorySpanExporter();
  let fixture: QueueFixture;

  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  });
  afterAll(() => {
    for (const api of [context, propagation, trace]) api.disable();
  });

  beforeEach(async () => {
    fixture = await QueueFixture.open(getTarget());
  });
  afterEach(() => fixture.close());

  it('continues the trace of the request in the handler', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const requestSpanId = 'b7ad6b7169203331';
    let handlerTraceId: string | undefined;
    await fixture.startWorker(async () => {
      handlerTraceId = trace.getActiveSpan()?.spanContext().traceId;
      return 'done';
    });
    const payload = createWorkJob();
    await fixture.queue.addAll([{ payload, trace: `00-${traceId}-${requestSpanId}-01`, priority: 1 }]);
    const spansOfTrace = () => exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
    await waitUntil(() => spansOfTrace().some(({ kind }) => kind === SpanKind.CONSUMER), {
      describe: 'the job is traced',
    });
    const add = spansOfTrace().find(({ kind }) => kind === SpanKind.PRODUCER);
    const work = spansOfTrace().find(({ kind }) => kind === SpanKind.CONSUMER);
    expect(add?.parentSpanContext?.spanId).toBe(requestSpanId);
    expect(work?.parentSpanContext?.spanId).toBe(add?.spanContext().spanId);
    expect(handlerTraceId).toBe(traceId);
    expect(work?.attributes).toMatchObject({ 'annals.job.outcome': 'done', 'annals.job.attempt': 1 });
    expect(JSON.stringify(work?.attributes)).toContain(testDefinition.jobId(payload));
  });
}
