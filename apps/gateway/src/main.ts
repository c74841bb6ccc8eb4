import { exitOnConfigError, loadConfigOrExit } from '@annals/config';
import { createReranker } from '@annals/llm-core';
import {
  connectDistributed,
  createEmbedder,
  createProcessContext,
  DISTRIBUTED_FRAGMENTS,
  openCategories,
  readVersion,
  runService,
} from '@annals/runtime';
import { GATEWAY_FRAGMENTS } from './config.js';
import { GatewayModule } from './gateway.module.js';
import { createGatewayAdapter } from './http/create-adapter.js';

const config = loadConfigOrExit([...DISTRIBUTED_FRAGMENTS, ...GATEWAY_FRAGMENTS]);

const context = createProcessContext({
  name: 'gateway',
  version: readVersion(import.meta.url),
  logLevel: config.logging.level,
});

const categories = exitOnConfigError(() => openCategories(config, context.logger));
const embedder = exitOnConfigError(() => createEmbedder(config, context.clock));
const reranker = createReranker(config.rerank.model);

await runService({
  context,
  config,
  listenAddress: { host: config.http.host, port: config.http.port, portVariable: 'ANNALS_HTTP_PORT' },
  metrics: config.metrics,
  shutdownTimeoutMs: config.lifecycle.shutdownTimeoutMs,
  connect: () => connectDistributed(context, config, 'requests'),
  modules: [GatewayModule.forRoot({ embedder, reranker, categories })],
  consumes: [],
  queueNeed: 'optional',
  createAdapter: () => createGatewayAdapter(config.limits),
});
