import { exitOnConfigError, loadConfigOrExit } from '@annals/config';
import {
  connectDistributed,
  createEmbedder,
  createExtractionProviders,
  createProcessContext,
  DISTRIBUTED_FRAGMENTS,
  readVersion,
  runService,
} from '@annals/runtime';
import { PERSISTENCE_FRAGMENTS, PersistenceModule } from './persistence/persistence.module.js';

const config = loadConfigOrExit([...DISTRIBUTED_FRAGMENTS, ...PERSISTENCE_FRAGMENTS]);

const context = createProcessContext({
  name: 'persistence',
  version: readVersion(import.meta.url),
  logLevel: config.logging.level,
});

const embedder = exitOnConfigError(() => createEmbedder(config, context.clock));
const providers = exitOnConfigError(() => createExtractionProviders(config, context.clock));

await runService({
  context,
  config,
  listenAddress: { host: config.http.host, port: config.workers.healthPort, portVariable: 'ANNALS_HEALTH_PORT' },
  metrics: config.metrics,
  shutdownTimeoutMs: config.lifecycle.shutdownTimeoutMs,
  connect: () => connectDistributed(context, config),
  modules: [PersistenceModule.forRoot({ embedder, providers })],
  consumes: PersistenceModule.consumes,
  queueNeed: 'required',
});
