import { pathToFileURL } from 'node:url';
import { inRoot } from './paths.mjs';

/**
 * Node flags of a service process. Telemetry instruments modules as they load, so it has to be imported before the app;
 * without an exporter it is not loaded.
 * @param {NodeJS.ProcessEnv} env
 */
export function serviceFlags(env) {
  const flags = ['--enable-source-maps'];
  return hasTraceExporter(env) ? [...flags, '--import', otelModule()] : flags;
}

/**
 * Variables of a process that runs an app: what Node has compiled is kept for the next start.
 * @param {NodeJS.ProcessEnv} env
 */
export function appEnv(env) {
  return { NODE_COMPILE_CACHE: inRoot('node_modules/.cache/compiled'), ...env };
}

function hasTraceExporter(env) {
  if (env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return false;
  return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_TRACES_EXPORTER);
}

function otelModule() {
  return pathToFileURL(inRoot('libs/observability/dist/otel.js')).href;
}
