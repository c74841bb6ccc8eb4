import type { CategoryConfig, KnownUser } from '@annals/domain';
import {
  type AnalysisCache,
  analyzeConversation,
  buildExtractionPrompt,
  type ConversationAnalysis,
  createPromptTemplate,
  DEFAULT_SALIENCE_CONFIG,
  type ExtractionPrompt,
  fitExcerpt,
  type FittedExcerpt,
  loadMoodScorer,
  loadTokenCounter,
  type PromptTemplate,
  type SalienceConfig,
} from '@annals/llm-core';
import type { Excerpt } from './select-excerpt.js';

export interface CategoryPrompt {
  readonly categories: CategoryConfig;
  readonly template: PromptTemplate;
}

/** Returns a reader of the current prompt, which is composed once per version of the categories file. */
export function createCategoryPromptReader(source: { readonly current: CategoryConfig }): () => CategoryPrompt {
  let categoryPrompt: CategoryPrompt | null = null;
  return () => {
    const { current } = source;
    if (categoryPrompt?.categories !== current)
      categoryPrompt = { categories: current, template: createPromptTemplate(current) };
    return categoryPrompt;
  };
}

export interface PreparationOptions {
  readonly template: PromptTemplate;
  /** Who of the speakers is the user. */
  readonly user?: KnownUser;
  readonly salience: Pick<SalienceConfig, 'topK' | 'maxTokens'>;
  /** Messages that may contain several facts. */
  readonly longIds?: ReadonlySet<string>;
  /** Maximum input tokens that every model of the chain accepts. */
  readonly maxInputTokens: number;
  /** Token estimate of the first remote provider; `cache` must not be shared with another estimate. */
  estimateTokens(text: string): number;
  readonly cache: AnalysisCache;
}

export interface PreparedConversation {
  readonly prompt: ExtractionPrompt;
  /** Estimated tokens of the whole prompt. */
  readonly promptTokens: number;
  readonly fitted: FittedExcerpt;
  readonly analysis: Pick<ConversationAnalysis, 'hits' | 'misses'>;
}

/**
 * Loads the token table and the mood lexicon, once per process. Without the token table, tokens are estimated by
 * length, which is twice too high for English, so that messages would be pruned that fit.
 */
export async function loadAnalysis(): Promise<void> {
  await Promise.all([loadTokenCounter(), loadMoodScorer()]);
}

/**
 * Computes moods, mood deltas, the selection of messages and the prompt, in this order
 * (docs/reference/extraction.md#steps-of-an-extraction). Deterministic: the same conversation gives the same
 * prompt.
 */
export async function prepareConversation(
  excerpt: Excerpt,
  order: readonly string[],
  options: PreparationOptions,
): Promise<PreparedConversation> {
  await loadAnalysis();
  const positions = new Map(order.map((id, index) => [id, index]));
  const inOrder = [...excerpt.messages, ...excerpt.context].toSorted(
    (a, b) => (positions.get(a.id) ?? 0) - (positions.get(b.id) ?? 0),
  );
  const analysis = await analyzeConversation(inOrder, options);
  const fitted = fitToModel(excerpt, analysis, options);
  const prompt = buildExtractionPrompt({
    excerpt: fitted.excerpt,
    moods: analysis.moods,
    deltas: analysis.deltas,
    ...(options.user ? { user: options.user } : {}),
    ...(options.longIds ? { longIds: options.longIds } : {}),
    order,
    template: options.template,
  });
  return { prompt, promptTokens: estimatePrompt(prompt, options), fitted, analysis };
}

/** Minimum input tokens for instructions, schema, and the names and times around each message. */
const RESERVED_TOKENS = 2_500;
/** The part of them for names and times; the rest grows with the descriptions of the configured categories. */
const AROUND_MESSAGES_TOKENS = 800;
/** Lower bound for messages, so that a model with a tiny input limit gives its own error, not an empty prompt. */
const MIN_TOKENS = 100;

/**
 * The configured cap retains a minimum number of messages whatever their length
 * (docs/reference/extraction.md#token-cap-of-a-prompt). A model whose input limit they exceed gets fewer.
 */
function fitToModel(excerpt: Excerpt, analysis: ConversationAnalysis, options: PreparationOptions): FittedExcerpt {
  const { salience, maxInputTokens } = options;
  const reserved = Math.max(RESERVED_TOKENS, estimateTemplate(options.template, options) + AROUND_MESSAGES_TOKENS);
  const availableTokens = Math.max(MIN_TOKENS, maxInputTokens - reserved);
  const fitted = fitExcerpt(excerpt, analysis, { ...DEFAULT_SALIENCE_CONFIG, ...salience });
  if (fitted.selection.estimatedTokens <= availableTokens) return fitted;
  const maxTokens = Math.min(availableTokens, salience.maxTokens);
  return fitExcerpt(excerpt, analysis, { ...DEFAULT_SALIENCE_CONFIG, ...salience, maxTokens, minMessages: 1 });
}

type TokenEstimator = Pick<PreparationOptions, 'estimateTokens' | 'cache'>;

function estimatePrompt(prompt: ExtractionPrompt, estimator: TokenEstimator): number {
  return estimateTemplate(prompt, estimator) + estimator.estimateTokens(prompt.user);
}

function estimateTemplate(
  { system, schema }: Omit<PromptTemplate, 'version'>,
  { estimateTokens, cache }: TokenEstimator,
): number {
  return [system, JSON.stringify(schema)].reduce((sum, text) => sum + cache.estimateCached(text, estimateTokens), 0);
}
