import {
  type AnalysisCache,
  analyzeConversation,
  buildExtractionPrompt,
  type ConversationAnalysis,
  DEFAULT_SALIENCE_CONFIG,
  type ExtractionPrompt,
  fitExcerpt,
  type FittedExcerpt,
  loadMoodScorer,
  loadTokenCounter,
  type PromptTemplate,
  type SalienceConfig,
} from '@annals/llm-core';
import type { Excerpt } from './build-request.js';

export interface PreparationOptions {
  readonly template: PromptTemplate;
  readonly salience: Pick<SalienceConfig, 'topK' | 'maxTokens'>;
  /** Messages that may tell several facts. */
  readonly longIds?: ReadonlySet<string>;
  /** Input tokens that every model of the chain takes. */
  readonly maxInputTokens: number;
  /** The primary's own estimate; `cache` must serve no other. */
  estimateTokens(text: string): number;
  readonly cache: AnalysisCache;
}

/** What a remote model is sent, and how it was chosen. */
export interface PreparedConversation {
  readonly prompt: ExtractionPrompt;
  /** Estimated tokens of everything that is sent. */
  readonly promptTokens: number;
  readonly fitted: FittedExcerpt;
  readonly analysis: Pick<ConversationAnalysis, 'hits' | 'misses'>;
}

/**
 * Loads what estimates and moods are made from; once for a process. Without the token table an estimate is a guess by length,
 * twice too high for English, and messages would be left out that fit.
 */
export async function loadAnalysis(): Promise<void> {
  await Promise.all([loadTokenCounter(), loadMoodScorer()]);
}

/**
 * Moods, mood deltas, the choice of messages and the prompt, in this order
 * (docs/reference/extraction.md#steps-of-an-extraction). Nothing here depends on chance or time: the same conversation
 * gives the same prompt.
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
    ...(options.longIds ? { longIds: options.longIds } : {}),
    order,
    template: options.template,
  });
  return { prompt, promptTokens: estimatePrompt(prompt, options), fitted, analysis };
}

/** What instructions, schema and the names and times around each message take of a model's input, at least. */
const RESERVED_TOKENS = 2_500;
/** Of that the part around the messages; the rest grows with the categories that an operator describes. */
const AROUND_MESSAGES_TOKENS = 800;
/** Never less than a word or two, so that a tiny model fails with its own words instead of an empty prompt. */
const MIN_TOKENS = 100;

/**
 * The configured cap keeps a few messages whatever their length (docs/reference/extraction.md#token-cap-of-a-prompt). A
 * model that cannot take those gets fewer of them.
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
