import { ConfigError, type Environment } from '@annals/config';
import type { Clock } from '@annals/domain';
import type { EmbeddingProvider, LLMProvider } from '@annals/llm-core';
import { createEmbedder, createExtractionProviders } from '@annals/runtime';
import { checkEmbeddings } from './checks/check-embeddings.js';
import { judgeBudgets, judgeRates } from './checks/check-limits.js';
import { lookAtProvider } from './checks/check-provider.js';
import { lookAtRedis } from './checks/check-redis.js';
import { judgeReportedLimits } from './checks/check-reported-limits.js';
import { lookAtFolder, lookAtServer } from './checks/look-at-database.js';
import { readRunningBudgets } from './checks/read-running-budgets.js';
import { askCorpus, boundCorpusCost, type CorpusOptions, selectCases } from './corpus/ask-corpus.js';
import { judgeCorpus, judgeStructure } from './corpus/judge-corpus.js';
import { type Finding, ok, skip, warn } from './report/finding.js';
import { formatUsd } from './report/format-usd.js';
import { hasFailed } from './report/render-report.js';
import { measureLargestCall } from './settings/largest-call.js';
import { detectProfile, loadSettings, type Settings } from './settings/load-settings.js';

/** EX_CONFIG of sysexits.h, as every process of Annals ends with for a wrong environment. */
const EXIT_CODE_CONFIG = 78;

export interface DoctorOptions {
  readonly env: Environment;
  /** Sends nothing to providers: no look at models, no embedding, no corpus. */
  readonly isOffline: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told of each finding as soon as it is there. */
  tell(finding: Finding): void;
}

export interface Diagnosis {
  readonly findings: readonly Finding[];
  /** What the check itself cost. */
  readonly spentMicroUsd: number;
  /** 0, 1 when something failed, 78 when the configuration is wrong. */
  readonly exitCode: number;
}

interface Models {
  readonly providers: readonly LLMProvider[];
  readonly embedder: EmbeddingProvider;
}

/** Looks at everything the services of the configured profile need. */
export async function runDoctor(options: DoctorOptions): Promise<Diagnosis> {
  const visit = new Visit(options);
  try {
    const settings = loadSettings(detectProfile(options.env), options.env);
    const models = {
      providers: createExtractionProviders(settings.config, options.clock),
      embedder: createEmbedder(settings.config, options.clock),
    };
    await visit.examine(settings, models);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    visit.tell(
      ...error.problems.map(({ sentence }) => ({ check: 'configuration', verdict: 'fail', found: sentence }) as const),
    );
    return { ...visit.conclude(), exitCode: EXIT_CODE_CONFIG };
  }
  return visit.conclude();
}

/** One run; collects what it finds and what it spends. */
class Visit {
  private readonly findings: Finding[] = [];
  private spentMicroUsd = 0;

  constructor(private readonly options: DoctorOptions) {}

  tell(...findings: readonly Finding[]): void {
    for (const finding of findings) {
      this.findings.push(finding);
      this.options.tell(finding);
    }
  }

  conclude(): Diagnosis {
    const { findings, spentMicroUsd } = this;
    return { findings, spentMicroUsd, exitCode: hasFailed(findings) ? 1 : 0 };
  }

  async examine(settings: Settings, { providers, embedder }: Models): Promise<void> {
    const { config } = settings;
    this.tell(ok('configuration', `The configuration can be used (${settings.profile} profile).`));
    const budgets = await this.examineStores(settings);
    const calls = providers.map((provider) => measureLargestCall(provider, config));
    this.tell(...judgeBudgets(budgets, calls), ...judgeRates(config.llm.chain, calls));
    const { isOffline, signal } = this.options;
    const { findings, spentMicroUsd } = await checkEmbeddings(embedder, { isOffline, signal });
    this.tell(...findings);
    this.spentMicroUsd += spentMicroUsd;
    for (const provider of providers) await this.examineProvider(provider, settings);
  }

  /** Answers with the budgets that hold. */
  private async examineStores(settings: Settings): Promise<Settings['config']['budgets']> {
    const { budgets: configured } = settings.config;
    if (settings.profile === 'embedded') {
      this.tell(...(await lookAtFolder(settings.config)));
      return configured;
    }
    const { database, redis } = settings.config;
    const found = await lookAtServer(settings.config);
    this.tell(...found, ...(await lookAtRedis(redis.url)));
    if (hasFailed(found)) return configured;
    const { budgets, findings } = await readRunningBudgets(database.url, configured);
    this.tell(...findings);
    return budgets;
  }

  private async examineProvider(provider: LLMProvider, { config }: Settings): Promise<void> {
    const { isOffline, clock, signal } = this.options;
    if (isOffline && provider.getCapabilities().remote) {
      this.tell(skip(provider.name, `${provider.name} was not asked (--offline).`));
      return;
    }
    const found = await lookAtProvider(provider, clock.now(), signal);
    this.tell(...found);
    if (hasFailed(found)) return;
    const { maxOutputTokens, streaming } = config.llm;
    await this.examineAnswers(provider, { maxOutputTokens, streaming, signal }, config);
  }

  private async examineAnswers(provider: LLMProvider, how: CorpusOptions, config: Settings['config']): Promise<void> {
    const bound = boundCorpusCost(provider, how);
    const { deploymentMicroUsd } = config.budgets;
    const check = `${provider.name}.corpus`;
    const sample = `${selectCases(provider).length} invented conversations`;
    if (deploymentMicroUsd !== null && bound > deploymentMicroUsd) {
      const found = `${sample} for ${provider.name} could cost ${formatUsd(bound)}, more than a day's budget: not sent.`;
      this.tell(warn(check, found, 'Raise MEMORY_LLM_DAILY_BUDGET_USD.'));
      return;
    }
    this.tell(
      ok(
        check,
        `Sending ${sample} to ${provider.name} (${provider.model}), ${bound === 0 ? 'at no cost' : `for at most ${formatUsd(bound)}`}.`,
      ),
    );
    const outcome = await askCorpus(provider, how);
    this.spentMicroUsd += outcome.spentMicroUsd;
    this.tell(...judgeStructure(provider.name, provider.getCapabilities().structuredOutput));
    const model = config.llm.chain.find((configured) => configured.provider === provider.name);
    if (model && model.provider !== 'local') {
      this.tell(...judgeReportedLimits(model.provider, model.rates, outcome.rateLimits));
    }
    this.tell(...judgeCorpus(provider.name, outcome));
  }
}
