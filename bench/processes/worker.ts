import { loadConfigOrExit } from '@annals/config';
import { EXTRACTION_FRAGMENTS, ExtractionModule } from '@annals/extraction';
import type { LLMProvider } from '@annals/llm-core';
import type { Metrics } from '@annals/observability';
import { PERSISTENCE_FRAGMENTS, PersistenceModule } from '@annals/persistence';
import {
  connectDistributed,
  createEmbedder,
  createExtractionProviders,
  createProcessContext,
  DISTRIBUTED_FRAGMENTS,
  openCategories,
  runService,
} from '@annals/runtime';
import { logJob, logProviderCall } from './job-log.ts';
import { createStubProvider, describeStub } from './stub-provider.ts';

// `worker.ts extraction|persistence inside|remote|configured [delay of the stub model in ms]`: the worker, composed
// like in its own main, with a stub for the model unless it is `configured`, and with a log of the duration of every
// job.
const [name, modelKind = 'configured', delayMs = '0'] = process.argv.slice(2);
const isExtraction = name === 'extraction';
const stubKind = isExtraction && (modelKind === 'inside' || modelKind === 'remote') ? modelKind : null;
// A remote stub's budget is enforced and never reached.
const ENOUGH_MICRO_USD = 1_000_000_000_000;

const loaded = loadConfigOrExit([...DISTRIBUTED_FRAGMENTS, ...EXTRACTION_FRAGMENTS, ...PERSISTENCE_FRAGMENTS]);
const config = stubKind
  ? {
      ...loaded,
      llm: { ...loaded.llm, chain: [describeStub(stubKind)] },
      budgets: { ...loaded.budgets, deploymentMicroUsd: ENOUGH_MICRO_USD },
    }
  : loaded;
const context = createProcessContext({
  name: isExtraction ? 'extraction' : 'persistence',
  version: 'bench',
  logLevel: config.logging.level,
});

await runService({
  context: { ...context, metrics: recordJobs(context.metrics) },
  config,
  listenAddress: { host: config.http.host, port: config.workers.healthPort, portVariable: 'ANNALS_HEALTH_PORT' },
  metrics: { host: '127.0.0.1' },
  shutdownTimeoutMs: config.lifecycle.shutdownTimeoutMs,
  connect: (running) => connectDistributed(running, config),
  modules: [
    isExtraction
      ? ExtractionModule.forRoot({
          providers: createProviders(),
          categories: openCategories(config, context.logger),
        })
      : PersistenceModule.forRoot({
          embedder: createEmbedder(config, context.clock),
          // A stub supports only extraction.
          providers: stubKind ? [] : createProviders(),
        }),
  ],
  consumes: isExtraction ? ExtractionModule.consumes : PersistenceModule.consumes,
  queueNeed: 'required',
});

function createProviders(): LLMProvider[] {
  return stubKind ? [createStubProvider(stubKind, Number(delayMs))] : createExtractionProviders(config, context.clock);
}

function recordJobs(metrics: Metrics): Metrics {
  const observe: Metrics['observe'] = (metric, value, ...labels) => {
    metrics.observe(metric, value, ...labels);
    if (metric === 'memory_llm_job_run_ms') logJob(value);
    const [about] = labels as unknown as [{ operation?: string }?];
    if (metric === 'memory_llm_latency_ms_summary' && about?.operation === 'provider_call') logProviderCall(value);
  };
  return Object.assign(Object.create(metrics) as Metrics, { observe });
}
