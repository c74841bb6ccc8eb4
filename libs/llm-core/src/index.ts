// Circuit breaker, rate limiter and budgets, so that services find them beside the providers that they protect.
export * from '@annals/coordination';
export * from './provider/llm-request.js';
export * from './provider/llm-provider.js';
export * from './embeddings/embedding-provider.js';
export type { FinishReason, LLMResponse, RateLimitReport, ReportedLimit, TokenUsage } from './provider/llm-response.js';
export {
  computeBackoffMs,
  isRetryable,
  LLM_ERROR_TYPES,
  LLMError,
  MAX_RETRIES,
  type LLMErrorDetails,
  type LLMErrorType,
} from './provider/llm-error.js';
export {
  compareTokenEstimate,
  countTokens,
  estimateTokensByLength,
  loadTokenCounter,
  type EstimateVariance,
  type TokenCounter,
} from './tokens/count-tokens.js';
export {
  CachingEmbedder,
  hashText,
  type CachedEmbeddingResult,
  type CachingEmbedderOptions,
  type EmbeddingCacheStore,
} from './embeddings/caching-embedder.js';
export { createProvider, PROVIDER_NAMES, type ProviderConfig } from './providers/create-provider.js';
export {
  createEmbeddingProvider,
  EMBEDDING_PROVIDER_NAMES,
  type EmbeddingConfig,
} from './embeddings/create-embedding-provider.js';
export { POOLINGS, type Pooling } from './embeddings/onnx/pool-tokens.js';
export type { OpenAIEmbedderOptions } from './embeddings/openai/openai-embedder.js';
export {
  buildExtractionPrompt,
  type ExtractionPrompt,
  type ExtractionPromptInput,
} from './prompt/build-extraction-prompt.js';
export {
  createPromptTemplate,
  DEFAULT_PROMPT_TEMPLATE,
  PROMPT_VERSION,
  type PromptTemplate,
} from './prompt/prompt-template.js';
export type { Sliced, SummaryKind, SummaryPromptName, SummarySentence } from '@annals/domain';
export {
  type AppMemory,
  type CompactionDecision,
  type CompactionInput,
  identifySpeakers,
  type KnownUser,
  runAtOnce,
  type Speaker,
  UNKNOWN_USER,
} from '@annals/domain';
export { labelSpeakers, nameSubject, type SubjectName } from './prompt/speaker-names.js';
export {
  AnalysisCache,
  analyzeConversation,
  type AnalysisOptions,
  type ConversationAnalysis,
  type MessageAnalysis,
} from './selection/analyze-conversation.js';
export { detectMoodDeltas, type MoodDelta, type MoodDirection } from './selection/detect-mood-deltas.js';
export { fitExcerpt, type FittedExcerpt } from './selection/fit-excerpt.js';
export { DEFAULT_SALIENCE_CONFIG, type SalienceConfig } from './selection/salience-config.js';
export { loadMoodScorer, type MoodScorer } from './selection/score-mood.js';
export {
  selectSalientMessages,
  type SalienceInput,
  type SalienceSelection,
} from './selection/select-salient-messages.js';
export { parseAnswer, type ParseAnswerOptions, type ParsedAnswer } from './parsing/parse-answer.js';
export {
  buildReconciliationPrompt,
  RECONCILIATION_PROMPT_VERSION,
  type PromptFact,
  type PromptMemory,
  type ReconciliationPrompt,
} from './reconciliation/reconciliation-prompt.js';
export {
  parseReconciliation,
  type MemoryDecision,
  type ParsedReconciliation,
} from './reconciliation/parse-reconciliation.js';
export {
  buildConsolidationPrompt,
  CONSOLIDATION_PROMPT_VERSION,
  type ConsolidationPrompt,
  getConsolidationOutputTokens,
  type MemoryPair,
} from './consolidation/consolidation-prompt.js';
export { describeRefusals, type RefusedPair } from './consolidation/describe-refusals.js';
export { parseConsolidation, type PairVerdict, type ParsedConsolidation } from './consolidation/parse-consolidation.js';
export { repairJson, type RepairedJson } from './parsing/repair-json.js';
export {
  MAX_STREAM_LENGTH,
  StreamAssembler,
  type AssembledStream,
  type StreamMetrics,
  type StreamState,
} from './streaming/stream-assembler.js';
export type { ClaudeProviderOptions } from './providers/claude/claude-provider.js';
export type { OpenAIProviderOptions } from './providers/openai/openai-provider.js';
export { loadPricingCatalog } from './pricing/load-pricing-catalog.js';
export { PricingCatalog, type CallSize, type PricedModel } from './pricing/pricing-catalog.js';
export { createReranker, type RerankConfig } from './rerank/create-reranker.js';
export { RERANK_APIS, type RerankApi } from './rerank/http-reranker.js';
export {
  estimateRerankTokens,
  SCORE_SCALES,
  type RerankAnswer,
  type Reranker,
  type RerankOptions,
  type RerankRequest,
  type RerankUsage,
  type ScoreScale,
} from './rerank/reranker.js';
export {
  buildProcedurePrompt,
  parseProcedures,
  type ProcedurePrompt,
  type WordedProcedure,
} from './procedures/procedure-prompt.js';
export { describeSummaryProblem, parseSummary } from './summaries/parse-summary.js';
export { nameSummarySpeakers } from './summaries/name-summary-speaker.js';
export { buildSummaryPrompt, type SummaryPrompt, type SummaryPromptInput } from './summaries/summary-prompt.js';
export { SUMMARY_PROMPT_VERSION } from './summaries/summary-system-texts.js';
export { buildRewritePrompt, parseRewrite, type InvalidSentence, type RewritePrompt } from './writing/rewrite.js';
export {
  buildInsightPrompt,
  INSIGHT_PROMPT_VERSION,
  type InsightPrompt,
  MAX_INSIGHT_OUTPUT_TOKENS,
  type ParsedInsights,
  parseInsights,
} from './insights/insight-prompt.js';
export {
  APP_MEMORY_PROMPT_VERSION,
  type AppMemoryPrompt,
  buildAppMemoryPrompt,
  describeAppMemoryProblem,
  type EndedConversation,
  MAX_APP_MEMORY_OUTPUT_TOKENS,
  parseAppMemory,
} from './app-memories/app-memory-prompt.js';
export {
  buildCompactionPrompt,
  COMPACTION_PROMPT_VERSION,
  type CompactionPrompt,
  describeCompactionProblem,
  MAX_COMPACTION_OUTPUT_TOKENS,
  parseCompaction,
} from './app-memories/compaction-prompt.js';
export type { ChatAnswer, ChatOutcome, ChatRequest, ChatUpstream } from './chat/chat-upstream.js';
export { AnthropicChat, type AnthropicChatOptions } from './chat/anthropic/anthropic-chat.js';
export { ChatPricing } from './chat/chat-pricing.js';
export { OpenAiChat } from './chat/openai-chat.js';
export { type ChatView, readChatBody, type SpokenTurn } from './chat/read-chat-body.js';
export {
  ANTHROPIC_CACHE_MARK,
  type CacheMark,
  type ChatAdditions,
  OPENAI_CACHE_MARK,
  spliceRequest,
  wantsBreakpoints,
} from './chat/splice-request.js';
export { mapNetworkError, typeOfStatus } from './provider/map-failure.js';
