/**
 * Preload module: `node --import @annals/observability/otel dist/main.js`. Does nothing unless an exporter is
 * configured.
 */
import { readServiceName, startTracing } from './tracing/start-tracing.js';

await startTracing(process.env, readServiceName(process.argv[1]));
