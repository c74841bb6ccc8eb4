import { exitOnConfigError, loadConfigOrExit } from '@annals/config';
import {
  connectDistributed,
  createExtractionProviders,
  createProcessContext,
  DISTRIBUTED_FRAGMENTS,
  readVersion,
  runService,
} from '@annals/runtime';
import { CONSOLIDATION_WORKER_FRAGMENTS, ConsolidationWorkerModule } from './consolidation-worker.module.js';

const config = loadConfigOrExit([...DISTRIBUTED_FRAGMENTS, ...CONSOLIDATION_WORKER_FRAGMENTS]);

const context = createProcessContext({
  name: 'consolidation-worker',
  version: readVersion(import.meta.url),
  logLevel: config.logging.level,
});

const providers = exitOnConfigError(() => createExtractionProviders(config, context.clock));

await runService(
  {
    context,
    config,
    listenAddress: { host: config.http.host, port: config.workers.healthPort, portVariable: 'ANNALS_HEALTH_PORT' },
    metrics: config.metrics,
    shutdownTimeoutMs: config.lifecycle.shutdownTimeoutMs,
    connect: () => connectDistributed(context, config),
    modules: [ConsolidationWorkerModule.forRoot({ providers })],
    consumes: ConsolidationWorkerModule.consumes(config),
    queueNeed: 'required',
  },
  { nice: config.minds.nice },
);
