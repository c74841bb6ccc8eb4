// Circuit breaker, rate limiter and budgets, so that services find them beside the providers that they protect. Of two
// exports with one name, that of this package counts (TokenUsage).
export * from '@annals/coordination';
export type { FinishReason, LLMResponse } from './provider/llm-response.js';
export type {
  ConversationExcerpt,
  ConversationMessage,
  Correction,
  LLMRequest,
  MessageRole,
  ModelTask,
} from './provider/llm-request.js';
export { NO_CONVERSATION } from './provider/llm-request.js';
export type { ExtractionPrompt, JsonSchema, ModelPrompt } from './prompt/extraction-prompt.js';
export { STRUCTURED_OUTPUT_MODES } from './provider/llm-provider.js';
export type {
  LLMProvider,
  ProviderCapabilities,
  ProviderInspection,
  StreamHandlers,
  StructuredOutputMode,
} from './provider/llm-provider.js';
export type { RateLimitReport, ReportedLimit } from './provider/rate-limit-report.js';
export type { TokenUsage } from './provider/token-usage.js';
export { LLMError, LLM_ERROR_TYPES, MAX_RETRIES, isRetryable } from './provider/llm-error.js';
export type { LLMErrorDetails, LLMErrorType } from './provider/llm-error.js';
export { countTokens, loadTokenCounter } from './tokens/count-tokens.js';
export type { TokenCounter } from './tokens/count-tokens.js';
export type {
  EmbedOptions,
  BillingContext,
  EmbeddingProvider,
  EmbeddingResult,
  EmbeddingUsage,
  SimilarityProfile,
} from './embeddings/embedding-provider.js';
export type { EmbeddingCacheStore } from './embeddings/embedding-cache.js';
export { PROVIDER_NAMES, createProvider } from './provider/create-provider.js';
export type { ProviderConfig } from './provider/create-provider.js';
export { EMBEDDING_PROVIDER_NAMES, createEmbeddingProvider } from './embeddings/create-embedding-provider.js';
export type { EmbeddingConfig } from './embeddings/create-embedding-provider.js';
export type { OpenAIEmbedderOptions } from './embeddings/openai/openai-embedder.js';
export { CachingEmbedder, hashText } from './embeddings/caching-embedder.js';
export type { CachedEmbeddingResult, CachingEmbedderOptions } from './embeddings/caching-embedder.js';
export { buildExtractionPrompt } from './prompt/build-extraction-prompt.js';
export type { ExtractionPromptInput } from './prompt/build-extraction-prompt.js';
export { createPromptTemplate, DEFAULT_PROMPT_TEMPLATE, type PromptTemplate } from './prompt/prompt-template.js';
export { resolveSubjectName } from './prompt/subject-name.js';
export type { SubjectName } from './prompt/subject-name.js';
export { PROMPT_VERSION } from './prompt/prompt-version.js';
export { AnalysisCache } from './selection/analysis-cache.js';
export type { MessageAnalysis } from './selection/analysis-cache.js';
export { analyzeConversation } from './selection/analyze-conversation.js';
export type { AnalysisOptions, ConversationAnalysis } from './selection/analyze-conversation.js';
export { compareTokenEstimate } from './selection/compare-token-estimate.js';
export type { EstimateVariance } from './selection/compare-token-estimate.js';
export type { MoodDelta, MoodDirection } from './selection/detect-mood-deltas.js';
export { fitExcerpt } from './selection/fit-excerpt.js';
export type { FittedExcerpt } from './selection/fit-excerpt.js';
export { DEFAULT_SALIENCE_CONFIG } from './selection/salience-config.js';
export type { SalienceConfig } from './selection/salience-config.js';
export { loadMoodScorer } from './selection/score-mood.js';
export type { MoodScorer } from './selection/score-mood.js';
export { selectSalientMessages } from './selection/select-salient-messages.js';
export type { SalienceInput, SalienceSelection } from './selection/select-salient-messages.js';
export { parseAnswer } from './parsing/parse-answer.js';
export type { ParsedAnswer, ParseAnswerOptions } from './parsing/parse-answer.js';
export { buildReconciliationPrompt } from './reconciliation/build-reconciliation-prompt.js';
export type { ReconciliationPrompt, PromptFact, PromptMemory } from './reconciliation/build-reconciliation-prompt.js';
export { parseReconciliation } from './reconciliation/parse-reconciliation.js';
export type { MemoryDecision, ParsedReconciliation } from './reconciliation/parse-reconciliation.js';
export { RECONCILIATION_PROMPT_VERSION } from './reconciliation/reconciliation-system-text.js';
export { repairJson } from './parsing/repair-json.js';
export type { RepairedJson } from './parsing/repair-json.js';
export { computeBackoffMs } from './retry/compute-backoff.js';
export { MAX_STREAM_LENGTH, StreamAssembler } from './streaming/stream-assembler.js';
export type { AssembledStream, StreamMetrics, StreamState } from './streaming/stream-assembler.js';
export type { ClaudeProviderOptions } from './providers/claude/claude-provider.js';
export type { OpenAIProviderOptions } from './providers/openai/openai-provider.js';
export { loadPricingCatalog } from './pricing/load-pricing-catalog.js';
export { PricingCatalog } from './pricing/pricing-catalog.js';
export type { CallSize, PricedModel } from './pricing/pricing-catalog.js';
export { createReranker } from './rerank/create-reranker.js';
export type { RerankConfig } from './rerank/create-reranker.js';
export { RERANK_APIS } from './rerank/http/http-reranker.js';
export type { RerankApi } from './rerank/http/http-reranker.js';
export { SCORE_SCALES } from './rerank/to-probability.js';
export type { ScoreScale } from './rerank/to-probability.js';
export { estimateRerankTokens } from './rerank/reranker.js';
export type { RerankAnswer, RerankOptions, Reranker, RerankRequest, RerankUsage } from './rerank/reranker.js';
export { parseRewrite } from './writing/parse-rewrite.js';
export { type InvalidSentence, buildRewritePrompt, type RewritePrompt } from './writing/rewrite-prompt.js';
