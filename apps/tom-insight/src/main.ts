import { exitOnConfigError, loadConfigOrExit } from '@annals/config';
import {
  connectDistributed,
  createExtractionProviders,
  createProcessContext,
  DISTRIBUTED_FRAGMENTS,
  readVersion,
  runService,
} from '@annals/runtime';
import { TOM_INSIGHT_FRAGMENTS, TomInsightModule } from './tom-insight.module.js';

const config = loadConfigOrExit([...DISTRIBUTED_FRAGMENTS, ...TOM_INSIGHT_FRAGMENTS]);

const context = createProcessContext({
  name: 'tom-insight',
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
    modules: [TomInsightModule.forRoot({ providers })],
    consumes: TomInsightModule.consumes(config),
    queueNeed: 'required',
  },
  { nice: config.minds.nice },
);
