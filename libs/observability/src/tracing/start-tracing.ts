import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Tracing {
  /** Exports the remaining spans and stops. */
  shutdown(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

let running: Tracing | undefined;

/**
 * Starts OpenTelemetry if an exporter is configured (`OTEL_EXPORTER_OTLP_ENDPOINT`, or `OTEL_TRACES_EXPORTER` = `otlp`
 * or `console`); otherwise loads nothing, patches nothing and resolves with undefined. Must be called before the first
 * import of http, pg or ioredis. `serviceName` is used unless `OTEL_SERVICE_NAME` is set.
 */
export async function startTracing(env: Environment, serviceName?: string): Promise<Tracing | undefined> {
  const target = chooseExporter(env);
  if (target === undefined || running !== undefined) return running;
  const { startSdk } = await import('./start-sdk.js');
  running = startSdk(target, env.OTEL_SERVICE_NAME || serviceName);
  return running;
}

/** Stops tracing when a process shuts down; does nothing when tracing is off. */
export async function shutdownTracing(): Promise<void> {
  const stopped = running;
  running = undefined;
  await stopped?.shutdown();
}

/** Chooses the exporter from the variables of the OpenTelemetry specification; undefined means no export. */
export function chooseExporter(env: Environment): 'otlp' | 'console' | undefined {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined;
  const named = env.OTEL_TRACES_EXPORTER?.trim() ?? '';
  if (named === 'otlp' || named === 'console') return named;
  if (named !== '') return undefined;
  return env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ? 'otlp' : undefined;
}

/**
 * Derives the service name from the package of the main file: `annals-gateway` for `@annals/gateway`. Undefined when no
 * package.json is found.
 */
export function readServiceName(mainFile: string | undefined): string | undefined {
  if (mainFile === undefined) return undefined;
  try {
    const text = readFileSync(join(dirname(mainFile), '..', 'package.json'), 'utf8');
    const { name } = JSON.parse(text) as { name?: unknown };
    return typeof name === 'string' ? name.replace(/^@/, '').replace('/', '-') : undefined;
  } catch {
    return undefined;
  }
}
