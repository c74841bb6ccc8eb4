import type { WorkKind } from '@annals/contracts';
import { createFrameworkLogger, shutdownTracing } from '@annals/observability';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createReadinessChecks, type QueueNeed, Readiness } from '../health/readiness.js';
import type { MetricsAccess } from '../health/metrics-access.js';
import { type MetricsServer, openMetricsServer } from '../health/metrics-server.js';
import { OperationsModule } from '../health/operations.module.js';
import type { Infrastructure } from '../infrastructure/infrastructure.js';
import { InfrastructureModule } from '../infrastructure/infrastructure.module.js';
import type { ProcessContext } from '../infrastructure/process-context.js';
import { explainListenError, type ListenAddress } from './start-failure.js';
import { runShutdown, type ShutdownStep } from './run-shutdown.js';
import { waitForStores } from './wait-for-stores.js';
import { openStartupServer } from './startup-server.js';

export interface ServiceDefinition {
  readonly context: ProcessContext;
  /** The value that modules inject as CONFIG. */
  readonly config: object;
  readonly listenAddress: ListenAddress;
  /** Who may read `/metrics`, and where. */
  readonly metrics: MetricsAccess;
  readonly shutdownTimeoutMs: number;
  /** Runs before the port is opened: locks, the embedded database. */
  prepare?(): Promise<void>;
  /** Connects to the stores; called again while they are unreachable. */
  connect(context: ProcessContext): Promise<Infrastructure>;
  /** The modules of the service; infrastructure, health and metrics are added. */
  readonly modules: readonly (Type | DynamicModule)[];
  /** Queues that must have a worker once the modules are initialized. */
  readonly consumes: readonly WorkKind[];
  readonly queueNeed: QueueNeed;
  /** Default: a bare Fastify. */
  createAdapter?(): FastifyAdapter;
  /** Filters, guards, pipes, documents: called before the application starts. */
  configure?(app: NestFastifyApplication, infrastructure: Infrastructure): void | Promise<void>;
  /** Closed last: the embedded database. */
  closeStores?(): Promise<void>;
}

export interface RunningService {
  /** `http://127.0.0.1:8080`, with the actual port. */
  readonly url: string;
  /** The URL of `/metrics` when it has a port of its own, else null. */
  readonly metricsUrl: string | null;
  readonly app: NestFastifyApplication;
  readonly infrastructure: Infrastructure;
  /** Shuts down in order; false when that took longer than `shutdownTimeoutMs`. */
  stop(reason: string): Promise<boolean>;
}

/** Share of the shutdown timeout that running jobs get; the rest is for returning them and closing. */
const SHARE_FOR_JOBS = 0.7;

/** How long a process that stops waits for a PostgreSQL that says nothing, in ms. */
const SILENCE_MS = 5_000;

@Module({})
class ServiceModule {}

/** Starts a service, or cleans up everything when that fails. Throws StartFailure for errors that a person can fix. */
export async function startService(definition: ServiceDefinition, signal: AbortSignal): Promise<RunningService> {
  const startedMs = performance.now();
  const started: StartedParts = { readiness: undefined, app: undefined, infrastructure: undefined, metrics: null };
  try {
    await definition.prepare?.();
    const infrastructure = await connect(definition, signal);
    started.infrastructure = infrastructure;
    const readiness = new Readiness(createReadinessChecks(infrastructure, definition.queueNeed));
    started.readiness = readiness;
    const app = await createApp(definition, infrastructure, readiness);
    started.app = app;
    await definition.configure?.(app, infrastructure);
    await app.init();
    infrastructure.workers.requireWorkers(definition.consumes);
    infrastructure.start();
    await listen(app, definition.listenAddress);
    started.metrics = await openMetricsServer(infrastructure.metrics, definition.metrics);
    const metricsUrl = started.metrics?.url ?? null;
    const url = urlOf(app, definition.listenAddress);
    definition.context.logger.info('service_started', { durationMs: performance.now() - startedMs, url });
    return { url, metricsUrl, app, infrastructure, stop: createStop(definition, started) };
  } catch (error) {
    await stopInOrder(definition, started);
    throw error;
  }
}

/** Connects to the stores, while a startup server responds in place of the service. `signal` ends the wait. */
async function connect(definition: ServiceDefinition, signal: AbortSignal): Promise<Infrastructure> {
  const { context, listenAddress } = definition;
  const startupServer = await openStartupServer(listenAddress);
  try {
    return await waitForStores(() => definition.connect(context), { ...context, signal });
  } finally {
    await startupServer.close();
  }
}

function createApp(
  definition: ServiceDefinition,
  infrastructure: Infrastructure,
  readiness: Readiness,
): Promise<NestFastifyApplication> {
  const { context, config, modules } = definition;
  const imports = [
    InfrastructureModule.forRoot(infrastructure, config),
    OperationsModule.forRoot(readiness, definition.metrics),
    ...modules,
  ];
  return NestFactory.create<NestFastifyApplication>(
    { module: ServiceModule, imports },
    definition.createAdapter?.() ?? new FastifyAdapter(),
    { logger: createFrameworkLogger(context.logger), abortOnError: false },
  );
}

/** The parts to stop; a start that failed half-way has only some of them. */
interface StartedParts {
  infrastructure: Infrastructure | undefined;
  readiness: Readiness | undefined;
  app: NestFastifyApplication | undefined;
  metrics: MetricsServer | null;
}

/** The whole shutdown, in order. */
function stopInOrder(definition: ServiceDefinition, started: StartedParts): Promise<boolean> {
  const { readiness, app, infrastructure, metrics } = started;
  const { shutdownTimeoutMs, context } = definition;
  const finishMs = shutdownTimeoutMs * SHARE_FOR_JOBS;
  const steps: ShutdownStep[] = [
    { name: 'fail readiness', run: () => readiness?.startStopping() },
    // What waits for an answer that never comes is begun again elsewhere, as after a crash.
    { name: 'give up silent connections', run: () => infrastructure?.database.limitSilence(SILENCE_MS) },
    {
      name: 'stop intake, finish jobs',
      run: () => Promise.all([app?.close(), infrastructure?.workers.stop(finishMs)]),
    },
    {
      name: 'stop relay, sweep, maintenance, reconciler and provider monitor',
      run: () =>
        Promise.all([
          infrastructure?.relay.stop(),
          infrastructure?.sweep.stop(),
          infrastructure?.maintenance.stop(),
          infrastructure?.reconciler?.stop(),
          infrastructure?.providers.stop(),
        ]),
    },
    { name: 'send telemetry', run: () => shutdownTracing() },
    // As late as possible: what the shutdown counts can still be read.
    { name: 'close the port for metrics', run: () => metrics?.close() },
    { name: 'close connections', run: () => infrastructure?.close() },
    { name: 'close stores', run: () => definition.closeStores?.() },
  ];
  return runShutdown(steps, shutdownTimeoutMs, context.logger);
}

function createStop(definition: ServiceDefinition, started: StartedParts): RunningService['stop'] {
  const { logger } = definition.context;
  const stop = async (reason: string): Promise<boolean> => {
    const startedMs = performance.now();
    logger.info('service_stopping', { reason });
    const inTime = await stopInOrder(definition, started);
    logger.info('service_stopped', { durationMs: performance.now() - startedMs });
    return inTime;
  };
  let stopped: Promise<boolean> | undefined;
  return (reason) => (stopped ??= stop(reason));
}

async function listen(app: NestFastifyApplication, listenAddress: ListenAddress): Promise<void> {
  try {
    await app.listen(listenAddress.port, listenAddress.host);
  } catch (error) {
    throw explainListenError(error as Error, listenAddress);
  }
}

function urlOf(app: NestFastifyApplication, { host }: ListenAddress): string {
  const address = app.getHttpServer().address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}
