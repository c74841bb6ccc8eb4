export {
  type AppMemoryFault,
  type AppMemorySource,
  checkAppMemory,
  MAX_APP_MEMORY_LENGTH,
} from './app-memories/check-app-memory.js';
export {
  checkCompaction,
  type CompactionFault,
  type CompactionInput,
  type CompactionPlan,
  needsCompaction,
  planCompaction,
  planFifo,
} from './app-memories/plan-compaction.js';
export { type AppContext, type AppContextPlace, renderAppContext } from './app-memories/render-context.js';
export {
  APP_MEMORY_TIMEOUT_MS,
  type AppMemory,
  type CompactionDecision,
  MAX_APP_MEMORIES,
} from './app-memories/types.js';
export {
  CHAIN_START,
  type ChainedFields,
  type ChainEnd,
  chainHash,
  ChainVerifier,
  type ChainVersion,
  contentHmac,
  GENESIS_HASH,
  type HistoryLink,
  type LinkFault,
  replacedHashHmac,
} from './audit/chain.js';
export { deletionSubject, FIRST_SIGNATURE, signDeletionLine, verifyDeletionLine } from './audit/deletion-list.js';
export { memoryStateHmac } from './audit/memory-state.js';
export { isPseudonym, userPseudonym } from './audit/pseudonym.js';
export {
  type ReceiptFields,
  signHeads,
  signReceipt,
  signVaultRemoval,
  type VaultRemovalFields,
  verifyVaultRemoval,
  verifyHeadsSignature,
  verifyReceiptSignature,
} from './audit/signatures.js';
export {
  type CategoryConfig,
  DEFAULT_CATEGORY_CONFIG,
  DEFAULT_RAG_LENGTH,
  listCategoryNames,
  listExtractableCategories,
} from './categories/default-categories.js';
export { parseCategories } from './categories/parse-categories.js';
export {
  type CategoryResolution,
  listOnRequestCategories,
  resolveAllowedCategories,
} from './categories/resolve-allowed-categories.js';
export * from './checkpoints/index.js';
export { findRetainedCheckpoints } from './langgraph/find-retained-checkpoints.js';
export { batchPairs, MAX_BATCH_PAIRS } from './consolidation/batch-pairs.js';
export { checkMerge, checkMergedText, type MergeProblem, type ProposedMerge } from './consolidation/check-merge.js';
export { FINGERPRINT_TTL_MS, fingerprintMemory, fingerprintPair } from './consolidation/fingerprint-pair.js';
export { mergeByWords, type PairedStatement } from './consolidation/merge-by-words.js';
export {
  getPairBand,
  MAX_PAIRS_PER_DAY,
  type NeighbourPair,
  type PairBand,
  type PairLimits,
  type PairPlan,
  type PlannedPair,
  planPairs,
} from './consolidation/plan-pairs.js';
export { planReranks, type Rerank } from './consolidation/plan-rerank.js';
export {
  decideByWords,
  type PairDecision,
  planRun,
  type RefusedMerge,
  type RunChange,
  type RunPlan,
} from './consolidation/plan-run.js';
export {
  type CurrentMemory,
  type LeftReason,
  planRunUndo,
  type RunUndoPlan,
  type WrittenChange,
} from './consolidation/plan-run-undo.js';
export { takeCandidates } from './consolidation/select-candidates.js';
export { findNextSlot } from './consolidation/next-slot.js';
export { needsSecondAnswer } from './consolidation/needs-second-answer.js';
export { type ConsolidationMemory, DAY_MS, MAX_COMPARED_AGE_MS } from './consolidation/types.js';
export * from './consent/index.js';
export { isDeletion } from './delta/compute-net-changes.js';
export { renderHeader } from './delta/render-header.js';
export { applyCategoryView, type CategoryView, type ThreadChange } from './delta/thread-changes.js';
export { type Clock, ManualClock, startDeadline, type Timer } from './determinism/clock.js';
export { type Rng, SeededRng } from './determinism/rng.js';
export { readSystemRandomBytes, SystemClock, SystemRng } from './determinism/system.js';
export { type IdGenerator, UuidV7Generator } from './determinism/uuid-v7-generator.js';
export { findEchoes } from './echoes/find-echo.js';
export { findRetold } from './echoes/find-retold.js';
export { identifyTurnSpeaker } from './echoes/identify-turn-speaker.js';
export { findEchoUnits, listLookupTerms } from './echoes/look-up-echoes.js';
export { indexStatements } from './echoes/statement-index.js';
export { readRest, type ReplacedStatement, type TurnRest } from './echoes/read-rest.js';
export { type EchoedStatement, readStatement } from './echoes/read-statement.js';
export { readTurn, type TurnSpeaker } from './echoes/read-turn.js';
export {
  DEFAULT_MAX_ENTRIES,
  type EvictableRow,
  type EvictionInput,
  type EvictionPlan,
  planEviction,
} from './eviction/plan-eviction.js';
export { cutSentences } from './forgetting/list-sentences.js';
export * from './forgetting/plan-forgetting.js';
export { findOneTimeData } from './forgetting/one-time-data.js';
export { type ForgetRequest, readForgetRequest } from './forgetting/read-request.js';
export { type CitableMessage, groundMemory, isQuotedFrom, isQuoteGrounded } from './grounding/ground-memory.js';
export {
  HASH_VERSION,
  hashContent,
  type HashStrategy,
  type HashStrategyOptions,
  NodeCryptoHashStrategy,
  selectHashStrategy,
  WebCryptoHashStrategy,
} from './hash/content-hash.js';
export {
  checkInsight,
  checkInsights,
  type InsightCheck,
  type InsightFault,
  MAX_INSIGHTS,
} from './insights/check-insight.js';
export { chooseInsightInput, type InsightSources, listShownEvidence } from './insights/choose-input.js';
export { compareInsights, type InsightRelation } from './insights/compare-insights.js';
export { HIGH_CONFIDENCE, listContextInsights } from './insights/infer-field.js';
export {
  type InsightPlan,
  planInsights,
  type StoredInsight,
  type SupersededInsight,
} from './insights/plan-insights.js';
export * from './insights/types.js';
export { analyzeQuery } from './lexical/analyze-query.js';
export { analyzeMemory, analyzeTurns } from './lexical/analyze-unit.js';
export { dropFormerUnits, encodeEntries } from './lexical/posting-entries.js';
export { scoreUnits } from './lexical/score-units.js';
export { ANALYZER_VERSION, ECHOES_VERSION, REINDEXING_VERSION } from './lexical/types.js';
export type * from './lexical/types.js';
export { classifyPair, type MergeBands } from './meaning/classify-pair.js';
export { extractSlot } from './meaning/extract-slot.js';
export {
  type Fact,
  type FactKind,
  type FactList,
  findInventedFacts,
  findLostFacts,
  listFacts,
} from './meaning/kept-facts.js';
export { clampConfidence, mergeConfidence, mergeConfidences, roundConfidence } from './merge/merge-confidence.js';
export { mergeEqualItems } from './merge/merge-equal-items.js';
export {
  countMindFailure,
  decideMindRun,
  MAX_MIND_FAILURES,
  type MindRunDecision,
  type MindWatermark,
} from './minds/decide-mind-run.js';
export {
  APP_ENERGY_KINDS,
  APP_ENERGY_SHARE,
  ENERGY_KINDS,
  ENERGY_PRICES,
  ENERGY_RESERVE_SHARE,
  type EnergyKind,
  type EnergyLimits,
} from './minds/energy.js';
export { orderItems } from './ordering/order-items.js';
export { remapRelations } from './ordering/remap-relations.js';
export {
  type CitingFact,
  type EndedEcho,
  judgeTurn,
  keepHolding,
  listReplaced,
  listStated,
} from './recall/judge-turn.js';
export type { RedundancyScale } from './recall/measure-redundancy.js';
export { renderAnswer, renderDocuments } from './recall/render-answer.js';
export type { RecallWeights } from './recall/score-answer.js';
export { applyRerank, scoreRelevance } from './recall/score-relevance.js';
export { selectAnswers, type SelectedAnswers } from './recall/select-answers.js';
export { type SentenceCosts, UNKNOWN_COST } from './recall/sentence-costs.js';
export type * from './recall/types.js';
export { normalizePii } from './redaction/normalize-pii.js';
export { createPiiCounts, type PiiCounts, type PiiType } from './redaction/pii-types.js';
export { listPlaceholders, PLACEHOLDER_PATTERN } from './redaction/placeholders.js';
export { createPseudonyms, hashId } from './redaction/pseudonyms.js';
export { isSupportedCountry } from 'libphonenumber-js';
export { type Redaction, type RedactionOptions, redactSliced, redactText } from './redaction/redact-text.js';
export { computeRetryDelayMs } from './retry/compute-retry-delay.js';
export { attributeStatement, type Attribution, type SpokenQuote } from './speakers/attribute-statement.js';
export { describeParticipant, isPersonName, showActorId } from './speakers/describe-actor.js';
export {
  identifySpeakers,
  isOtherParticipant,
  isUserActor,
  type KnownUser,
  type Speaker,
  type SpeakingMessage,
  UNKNOWN_USER,
} from './speakers/identify-speaker.js';
export { labelTurnSpeaker } from './speakers/label-turn.js';
export {
  type CheckedSentences,
  checkSentences,
  type RejectedSentence,
  type SentenceFault,
  settleSentences,
} from './summaries/check-sentences.js';
export { type ChunkRange, cutChunks } from './summaries/cut-chunks.js';
export { dropSentencesOf } from './summaries/drop-messages.js';
export {
  findDueSummary,
  hasOnlyGrown,
  MIN_GROWTH_TOKENS,
  SUMMARY_IDLE_MS,
  type SummaryDue,
  type SummaryOccasion,
  summaryWatermark,
} from './summaries/find-due-summary.js';
export { fitSentences } from './summaries/fit-sentences.js';
export type { CitedMessage } from './summaries/read-source.js';
export {
  listRecentActivity,
  RECENT_ACTIVITY_MS,
  type ThreadSummary,
  type ThreadTurn,
} from './summaries/list-recent-activity.js';
export { planRestoration, type RestorationPlan } from './summaries/plan-restoration.js';
export { planSummary, type SummaryPlanInput } from './summaries/plan-summary.js';
export {
  type CompressionMetrics,
  measureCompression,
  selectSummaryLevel,
  SUMMARY_KINDS,
  SUMMARY_LEVELS,
  type SummaryKind,
  type SummaryLevel,
  type SummaryTier,
  targetSummaryTokens,
} from './summaries/summary-level.js';
export { SUMMARY_PROMPTS } from './summaries/types.js';
export type * from './summaries/types.js';
export { toInertLine } from './text/inert-line.js';
export { parseJson } from './text/parse-json.js';
export { removeHidden } from './text/remove-hidden.js';
export type { JsonValue } from './text/canonical-json.js';
export { createSliceMeter, cutSlices, workInSlices } from './text/cut-slices.js';
export { type Pause, pauseForEventLoop, pauseInTransaction } from './text/event-loop.js';
export { MAX_SLICE_UNITS, runAtOnce, runInSlices, type Sliced } from './text/sliced.js';
export { makeStorable } from './text/unicode.js';
export { type BatchFindings, buildChanges, splitCost } from './writes/build-changes.js';
export { attachStates } from './writes/attach-states.js';
export { chainedFields, chainHistory, type HistoryContext, type HistoryRow } from './writes/chain-history.js';
export {
  classifyStatements,
  EDGE_TYPE,
  MAX_EDGES,
  type Neighbour,
  type OpenPair,
  type RequestedChanges,
  type StatementVectors,
  type StoredDecision,
} from './writes/classify-statements.js';
export { listWriteEvents, type SimilarityCheck, type WriteEvent } from './writes/list-events.js';
export { isCurrent } from './writes/memory-row.js';
export { composeNewMemory, composeSuccessor, fitsProcedural } from './writes/manual-memory.js';
export { SAME_MEANING } from './writes/plan-comparison.js';
export { MERGED_FROM } from './writes/plan-merge.js';
export { planWrites } from './writes/plan-writes.js';
export { deriveImportedId, type ImportOwner } from './moving/derive-imported-id.js';
export type * from './writes/types.js';
export * from './writing/index.js';
export { alignHistory, MAX_ALIGNED_TURNS, type SentTurn, type StoredTurn } from './chat/align-history.js';
export { namedOwner, ownerOf, scopeOfOwner } from './writes/owner.js';
export * from './webhooks/index.js';
export * from './vault/index.js';
