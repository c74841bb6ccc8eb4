import { register } from 'node:module';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { envDetector, serviceInstanceIdDetector } from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';
import {
  BatchSpanProcessor,
  ConsoleSpanExporter,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import { scrubSpans } from './scrub-spans.js';

const UNTRACED_PATHS = /^\/(?:health\/|metrics)/;

/**
 * Starts the OpenTelemetry SDK. It reads the rest (endpoint, headers, sampler, service name, W3C propagation) from the
 * OTEL_ variables.
 */
export function startSdk(target: 'otlp' | 'console', serviceName?: string): NodeSDK {
  const sdk = new NodeSDK({
    ...(serviceName === undefined ? {} : { serviceName }),
    spanProcessors: [createProcessor(target)],
    // Traces only: metrics are scraped, logs go to standard output.
    metricReaders: [],
    logRecordProcessors: [],
    // Without the process detector, because it would export the command line.
    resourceDetectors: [envDetector, serviceInstanceIdDetector],
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: ({ url }) => UNTRACED_PATHS.test(url ?? ''),
        requireParentforOutgoingSpans: true,
      }),
      new UndiciInstrumentation({ requireParentforSpans: true }),
      // A parent span is required so that polling by the relay creates no traces.
      new PgInstrumentation({ enhancedDatabaseReporting: false, requireParentSpan: true, ignoreConnectSpans: true }),
      new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
    ],
  });
  // ioredis is imported, not required, by our code and lazily by BullMQ; require hooks alone would not instrument it.
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url, { data: { include: ['ioredis'] } });
  sdk.start();
  return sdk;
}

function createProcessor(target: 'otlp' | 'console'): SpanProcessor {
  if (target === 'console') return new SimpleSpanProcessor({ exporter: scrubSpans(new ConsoleSpanExporter()) });
  return new BatchSpanProcessor({ exporter: scrubSpans(new OTLPTraceExporter()) });
}
