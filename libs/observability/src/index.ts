export { CIRCUIT_STATES, type EventDefinition, type EventName, EVENTS, LLM_ERROR_TYPES } from './logging/events.js';
export {
  type EnvelopeFields,
  type EventFields,
  LOG_LEVELS,
  type LoggedTokenUsage,
  type Logger,
  type LogLevel,
  type LogProvider,
  type LogValue,
} from './logging/logger.types.js';
export { createLogger, type LoggerOptions } from './logging/create-logger.js';
export { describeError, type ErrorDescription } from './logging/describe-error.js';
export { createFrameworkLogger, type FrameworkLogger } from './logging/framework-logger.js';
export { currentRequestId, runWithRequestId } from './logging/request-id.js';
export { type LabelValues, type MetricDefinition } from './metrics/definition.js';
export { type MetricName, METRICS } from './metrics/manifest.js';
export {
  type CounterName,
  type GaugeName,
  type GaugeReading,
  type LabelsOf,
  type Metrics,
  type ObservableName,
} from './metrics/metrics.types.js';
export { createMetrics, type MetricsOptions } from './metrics/create-metrics.js';
export {
  currentTraceId,
  currentTraceparent,
  setHttpSpanName,
  runWithTraceparent,
  type SpanAttributes,
  SpanKind,
  withSpan,
} from './tracing/spans.js';
export {
  type HealthCheck,
  HealthCheckFailure,
  type HealthReport,
  type HealthResult,
  runHealthChecks,
} from './health/health.js';
export { shutdownTracing, startTracing, type Tracing } from './tracing/start-tracing.js';
