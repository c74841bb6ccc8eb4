import { ConfigError, type Environment, EXIT_CODE_CONFIG } from '@annals/config';
import type { Clock } from '@annals/domain';
import { createReranker, type EmbeddingProvider, type LLMProvider } from '@annals/llm-core';
import { createEmbedder, createExtractionProviders, loadCategories } from '@annals/runtime';
import { checkEmbeddings } from './checks/check-embeddings.js';
import {
  evaluateBudgets,
  evaluateRateLimits,
  evaluateReportedLimits,
  measureLargestCall,
} from './checks/check-limits.js';
import { inspectProvider } from './checks/check-provider.js';
import { inspectReranker } from './checks/check-reranker.js';
import { inspectVariables } from './checks/check-variables.js';
import { inspectRedis } from './checks/check-redis.js';
import { inspectSecretKey } from './checks/check-secret-key.js';
import { inspectDataFolder, inspectDatabaseServer } from './checks/check-database.js';
import { inspectVectors } from './checks/check-vectors.js';
import { loadEffectiveBudgets } from './checks/load-effective-budgets.js';
import { runCorpus, estimateMaxCorpusCost, type CorpusOptions, selectCases } from './corpus/run-corpus.js';
import { evaluateCorpus, evaluateStructuredOutput } from './corpus/evaluate-corpus.js';
import { describeConfigError, type Finding, FindingLog, formatUsd, hasFailed, ok, skip, warn } from './report.js';
import { detectProfile, loadSettings, type Settings } from './load-settings.js';

export interface DoctorOptions {
  readonly env: Environment;
  /** Sends nothing to providers: no check of models, no embedding, no corpus. */
  readonly isOffline: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with each finding as soon as it is known. */
  emit(finding: Finding): void;
}

export interface Diagnosis {
  readonly findings: readonly Finding[];
  /** Cost of the run itself. */
  readonly spentMicroUsd: number;
  /** 0, 1 when something failed, 78 when the configuration is wrong. */
  readonly exitCode: number;
}

/** Checks everything that the services of the configured profile need. */
export async function runDoctor(options: DoctorOptions): Promise<Diagnosis> {
  const run = new DoctorRun(options);
  try {
    const settings = loadSettings(detectProfile(options.env), options.env);
    const providers = createExtractionProviders(settings.config, options.clock);
    const embedder = createEmbedder(settings.config, options.clock);
    loadCategories(settings.config);
    await run.checkAll(settings, providers, embedder);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    run.emit(...describeConfigError(error));
    return { ...run.conclude(), exitCode: EXIT_CODE_CONFIG };
  }
  return run.conclude();
}

class DoctorRun extends FindingLog {
  private spentMicroUsd = 0;

  constructor(private readonly options: DoctorOptions) {
    super((finding) => options.emit(finding));
  }

  conclude(): Diagnosis {
    const { findings, spentMicroUsd } = this;
    return { findings, spentMicroUsd, exitCode: hasFailed(findings) ? 1 : 0 };
  }

  async checkAll(settings: Settings, providers: readonly LLMProvider[], embedder: EmbeddingProvider): Promise<void> {
    const { config } = settings;
    this.emit(ok('configuration', `The configuration is valid (${settings.profile} profile).`));
    this.emit(...inspectVariables(this.options.env, config));
    const budgets = await this.checkStores(settings, embedder);
    const calls = providers.map((provider) => measureLargestCall(provider, config));
    this.emit(...evaluateBudgets(budgets, calls), ...evaluateRateLimits(config.llm.chain, calls));
    const { isOffline, signal } = this.options;
    const { finding, spentMicroUsd } = await checkEmbeddings(embedder, { isOffline, signal });
    this.emit(finding);
    this.spentMicroUsd += spentMicroUsd;
    this.emit(...(await inspectReranker(createReranker(config.rerank.model))));
    for (const provider of providers) await this.checkProvider(provider, settings);
  }

  /** Returns the budgets in effect. */
  private async checkStores(settings: Settings, embedder: EmbeddingProvider): Promise<Settings['config']['budgets']> {
    const { budgets: configured } = settings.config;
    const inspection = { model: embedder.model, isOffline: this.options.isOffline };
    if (settings.profile === 'embedded') {
      this.emit(...(await inspectDataFolder(settings.config, inspection)));
      return configured;
    }
    const { database, redis, secrets } = settings.config;
    const found = await inspectDatabaseServer(settings.config, this.options.clock);
    this.emit(...found, ...(await inspectRedis(redis.url)));
    if (hasFailed(found)) return configured;
    const { budgets, findings } = await loadEffectiveBudgets(database.url, configured);
    const server = { url: database.url };
    this.emit(...findings, await inspectSecretKey(server, secrets), await inspectVectors(server, inspection));
    return budgets;
  }

  private async checkProvider(provider: LLMProvider, { config }: Settings): Promise<void> {
    const { isOffline, clock, signal } = this.options;
    if (isOffline && provider.getCapabilities().remote) {
      this.emit(skip(provider.name, `${provider.name} was not called (--offline).`));
      return;
    }
    const found = await inspectProvider(provider, clock.now(), signal);
    this.emit(...found);
    if (hasFailed(found)) return;
    const { maxOutputTokens, streaming } = config.llm;
    await this.checkAnswers(provider, { maxOutputTokens, streaming, signal }, config);
  }

  private async checkAnswers(
    provider: LLMProvider,
    corpusOptions: CorpusOptions,
    config: Settings['config'],
  ): Promise<void> {
    const bound = estimateMaxCorpusCost(provider, corpusOptions);
    const { deploymentMicroUsd } = config.budgets;
    const check = `${provider.name}.corpus`;
    const sample = `${selectCases(provider).length} sample conversations`;
    if (deploymentMicroUsd !== null && bound > deploymentMicroUsd) {
      const found = `${sample} for ${provider.name} could cost ${formatUsd(bound)}, more than the daily budget: not sent.`;
      this.emit(warn(check, found, 'Raise MEMORY_LLM_DAILY_BUDGET_USD.'));
      return;
    }
    const cost = bound === 0 ? 'at no cost' : `for at most ${formatUsd(bound)}`;
    this.emit(ok(check, `Sending ${sample} to ${provider.name} (${provider.model}), ${cost}.`));
    const outcome = await runCorpus(provider, corpusOptions);
    this.spentMicroUsd += outcome.spentMicroUsd;
    this.emit(...evaluateStructuredOutput(provider.name, provider.getCapabilities().structuredOutput));
    const model = config.llm.chain.find((configured) => configured.provider === provider.name);
    if (model && model.provider !== 'local') {
      this.emit(...evaluateReportedLimits(model.provider, model.rates, outcome.rateLimits));
    }
    this.emit(...evaluateCorpus(provider.name, outcome));
  }
}
