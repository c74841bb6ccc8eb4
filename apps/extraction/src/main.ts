import { exitOnConfigError, loadConfigOrExit } from '@annals/config';
import {
  connectDistributed,
  createExtractionProviders,
  createProcessContext,
  DISTRIBUTED_FRAGMENTS,
  openCategories,
  readVersion,
  runService,
} from '@annals/runtime';
import { EXTRACTION_FRAGMENTS, ExtractionModule } from './extraction/extraction.module.js';

const config = loadConfigOrExit([...DISTRIBUTED_FRAGMENTS, ...EXTRACTION_FRAGMENTS]);

const context = createProcessContext({
  name: 'extraction',
  version: readVersion(import.meta.url),
  logLevel: config.logging.level,
});
const categories = exitOnConfigError(() => openCategories(config, context.logger));
const providers = exitOnConfigError(() => createExtractionProviders(config, context.clock));

await runService({
  context,
  config,
  listenAddress: { host: config.http.host, port: config.workers.healthPort, portVariable: 'ANNALS_HEALTH_PORT' },
  metrics: config.metrics,
  shutdownTimeoutMs: config.lifecycle.shutdownTimeoutMs,
  connect: (running) => connectDistributed(running, config),
  modules: [ExtractionModule.forRoot({ providers, categories })],
  consumes: ExtractionModule.consumes,
  queueNeed: 'required',
});
