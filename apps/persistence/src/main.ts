import { loadConfigOrExit } from '@annals/config';
import { createEmbeddingProvider } from '@annals/llm-core';
import {
  connectDistributed,
  createProcessContext,
  DISTRIBUTED_FRAGMENTS,
  readVersion,
  runService,
} from '@annals/runtime';
import { PERSISTENCE_FRAGMENTS } from './persistence/persistence.config.js';
import { PersistenceModule } from './persistence/persistence.module.js';

const config = loadConfigOrExit([...DISTRIBUTED_FRAGMENTS, ...PERSISTENCE_FRAGMENTS]);

await runService({
  context: createProcessContext({
    name: 'persistence',
    version: readVersion(import.meta.url),
    logLevel: config.logging.level,
  }),
  config,
  place: { host: config.http.host, port: config.workers.healthPort, portVariable: 'ANNALS_HEALTH_PORT' },
  shutdownTimeoutMs: config.lifecycle.shutdownTimeoutMs,
  connect: (context) => connectDistributed(context, config),
  modules: [PersistenceModule.forRoot({ embedder: createEmbeddingProvider(config.embeddings) })],
  consumes: ['persistence'],
  queueNeed: 'required',
});
