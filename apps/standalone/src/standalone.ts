import { ExtractionModule } from '@annals/extraction';
import { readSystemRandomBytes } from '@annals/domain';
import { ConsoleLinks, createGatewayAdapter, GatewayModule } from '@annals/gateway';
import { ConsolidationWorkerModule } from '@annals/consolidation-worker';
import { createReranker } from '@annals/llm-core';
import { PersistenceModule } from '@annals/persistence';
import { TomInsightModule } from '@annals/tom-insight';
import {
  createEmbedder,
  createExtractionProviders,
  type Infrastructure,
  openCategories,
  type ProcessContext,
  type RunningService,
  type ServiceDefinition,
} from '@annals/runtime';
import { ensureFirstKey, type FirstKey } from './first-key/ensure-first-key.js';
import { renderStartupBanner } from './startup-banner/render-startup-banner.js';
import { DataFolder } from './data-folder/data-folder.js';
import type { StandaloneConfig } from './standalone.config.js';

/** Every service in one process, on the database in its data folder. Only composes them. */
export class Standalone {
  readonly dataFolder: DataFolder;
  readonly definition: ServiceDefinition;
  private readonly consoleLinks: ConsoleLinks;
  private key?: FirstKey;

  /** `print` writes progress to the terminal. @throws ConfigError when a model cannot be called as configured */
  constructor(
    private readonly context: ProcessContext,
    private readonly config: StandaloneConfig,
    private readonly print: (text: string) => void,
  ) {
    this.dataFolder = new DataFolder(config, print);
    this.consoleLinks = new ConsoleLinks(context.clock, readSystemRandomBytes);
    const { consoleLinks } = this;
    const categories = openCategories(config, context.logger);
    const embedder = createEmbedder(config, context.clock);
    const providers = createExtractionProviders(config, context.clock);
    this.definition = {
      context,
      config,
      listenAddress: { host: config.http.host, port: config.http.port, portVariable: 'ANNALS_HTTP_PORT' },
      metrics: config.metrics,
      shutdownTimeoutMs: config.lifecycle.shutdownTimeoutMs,
      prepare: () => this.dataFolder.open(context),
      connect: () => this.connect(),
      modules: [
        GatewayModule.forRoot({ embedder, reranker: createReranker(config.rerank.model), categories, consoleLinks }),
        ExtractionModule.forRoot({ providers, categories }),
        PersistenceModule.forRoot({ embedder, providers }),
        TomInsightModule.forRoot({ providers }),
        ConsolidationWorkerModule.forRoot({ providers, isAlone: true }),
      ],
      consumes: [
        ...ExtractionModule.consumes,
        ...PersistenceModule.consumes,
        ...TomInsightModule.consumes(config),
        ...ConsolidationWorkerModule.consumes(config),
      ],
      queueNeed: 'required',
      createAdapter: () => createGatewayAdapter(config.limits),
      closeStores: () => this.dataFolder.close(),
    };
  }

  printBanner({ url }: RunningService): void {
    if (!this.key) return;
    const { http, llm } = this.config;
    const { folder } = this.dataFolder;
    const consolePath = http.console && this.config.embedded.consoleLink ? this.consoleLinks.issue() : null;
    this.print(
      renderStartupBanner({ url, consolePath, folder, key: this.key, provider: llm.primary, docs: http.docs }),
    );
  }

  private async connect(): Promise<Infrastructure> {
    const infrastructure = await this.dataFolder.connect(this.context);
    this.print('Starting the services …');
    const { bootstrapKey } = this.config.embedded;
    this.key = await ensureFirstKey(infrastructure, bootstrapKey, this.dataFolder.pathOf('bootstrap-key'));
    return infrastructure;
  }
}
