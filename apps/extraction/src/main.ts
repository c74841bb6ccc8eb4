import { loadConfigOrExit } from '@annals/config';
import {
  connectDistributed,
  createExtractionProvider,
  createProcessContext,
  DISTRIBUTED_FRAGMENTS,
  readVersion,
  runService,
} from '@annals/runtime';
import { EXTRACTION_FRAGMENTS } from './extraction/extraction.config.js';
import { ExtractionModule } from './extraction/extraction.module.js';

const config = loadConfigOrExit([...DISTRIBUTED_FRAGMENTS, ...EXTRACTION_FRAGMENTS]);

await runService({
  context: createProcessContext({
    name: 'extraction',
    version: readVersion(import.meta.url),
    logLevel: config.logging.level,
  }),
  config,
  place: { host: config.http.host, port: config.workers.healthPort, portVariable: 'ANNALS_HEALTH_PORT' },
  shutdownTimeoutMs: config.lifecycle.shutdownTimeoutMs,
  connect: (context) => connectDistributed(context, config),
  modules: [ExtractionModule.forRoot({ provider: createExtractionProvider(config) })],
  consumes: ['extraction'],
  queueNeed: 'required',
});
