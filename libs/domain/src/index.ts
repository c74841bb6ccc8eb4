export {
  ChainVerifier,
  GENESIS_HASH,
  verifyHeadsSignature,
  contentHmac,
  verifyReceiptSignature,
  signHeads,
  signReceipt,
} from './audit/index.js';
export type { ChainEnd, ChainedFields, HistoryLink, LinkFault, ReceiptFields } from './audit/index.js';
export {
  DEFAULT_CATEGORY_CONFIG,
  DEFAULT_RAG_LENGTH,
  listCategoryNames,
  listExtractableCategories,
  listOnRequestCategories,
  parseCategories,
  resolveAllowedCategories,
} from './categories/index.js';
export type {
  CategoryConfig,
  CategoryContext,
  CategoryDefinition,
  CategoryProblem,
  CategoryRequest,
  CategoryResolution,
  ParsedCategories,
} from './categories/index.js';
export {
  applyDeltas,
  diffStates,
  findJsonMember,
  packBody,
  shouldStoreSnapshot,
  unpackBody,
} from './checkpoints/index.js';
export type { DeltaChainStatistics } from './checkpoints/index.js';
export {
  DEFAULT_CONFIDENCE,
  clampConfidence,
  mergeConfidences,
  mergeConfidence,
  roundConfidence,
} from './confidence/index.js';
export { renderHeader, applyCategoryView } from './delta/index.js';
export type { CategoryView, HeaderInput, NetChange, ThreadChange } from './delta/index.js';
export {
  PROPOSAL_TTL_MS,
  detectMemorySignals,
  detectSignals,
  planContext,
  planDecision,
  planEdit,
  planExpiry,
} from './consent/index.js';
export type {
  ContextBasis,
  ContextPlan,
  ContextSignal,
  ContextState,
  ObservedMemory,
  ObservedMessage,
  CurrentValue,
  SignalKind,
  SingleField,
  StoredProposal,
} from './consent/index.js';
export {
  ManualClock,
  SeededRng,
  SystemClock,
  SystemRng,
  UuidV7Generator,
  readSystemRandomBytes,
} from './determinism/index.js';
export type { Clock, IdGenerator, Rng } from './determinism/index.js';
export { compareCodePoints, encodeCanonicalJson } from './encoding/index.js';
export type { JsonValue } from './encoding/index.js';
export { GROUNDING_REASONS, groundMemory, isQuoteGrounded } from './grounding/index.js';
export type { CitableMessage, Grounding, GroundingOptions, GroundingReason } from './grounding/index.js';
export {
  HASH_VERSION,
  NodeCryptoHashStrategy,
  WebCryptoHashStrategy,
  hashContent,
  normalizeContent,
  selectHashStrategy,
} from './hash/index.js';
export type { HashStrategy, HashStrategyOptions } from './hash/index.js';
export {
  ANALYZER_VERSION,
  analyzeMemory,
  analyzeQuery,
  analyzeTurns,
  encodeEntries,
  scoreUnits,
} from './lexical/index.js';
export type {
  CollectionStatistics,
  IndexedMemory,
  IndexedTurn,
  PostingEntry,
  PostingList,
  QueryTerm,
  ScoredUnit,
  UnitScores,
  UnitSearch,
  UnitTerms,
} from './lexical/index.js';
export { classifyPair, extractSlot } from './meaning/index.js';
export type { Band, MergeBands, PairClassification, Slot, SlotInput } from './meaning/index.js';
export { decideDuplicate, mergeEqualItems } from './merge/index.js';
export type { DuplicateDecision, MergeableInput, MergedContext, Significance } from './merge/index.js';
export { orderItems, remapRelations } from './ordering/index.js';
export { applyRerank, renderAnswer, renderDocument, scoreRelevance, selectAnswers } from './recall/index.js';
export type {
  CosineProfile,
  DropReason,
  DroppedCandidate,
  RankedAnswer,
  RecallCandidate,
  RecallKind,
  RecallWeights,
  RelevanceOptions,
  RerankedCandidates,
  ScoreParts,
  ScoredCandidate,
  SelectOptions,
  SelectedAnswers,
} from './recall/index.js';
export { PII_TYPES, createPiiCounts, redactText } from './redaction/index.js';
export type { PiiCounts, PiiType, Redaction, RedactionOptions } from './redaction/index.js';
export { computeRetryDelayMs, type RetryDelay } from './retry/compute-retry-delay.js';
export { TRUNCATION_SUFFIX, makeStorable } from './text/index.js';
export {
  EDGE_TYPE,
  MAX_EDGES,
  PURGE_AFTER_MS,
  chainHistory,
  chainedFields,
  classifyStatements,
  isCurrent,
  planWrites,
} from './writes/index.js';
export type {
  ChangeDraft,
  ChangeOutcome,
  ChangeResult,
  FormerEnd,
  HistoryContext,
  HistoryDraft,
  LastWrite,
  HistoryRow,
  MemoryChange,
  MemoryPatch,
  MergeableFields,
  NewMemory,
  Neighbour,
  NewSource,
  OpenPair,
  PlanContext,
  PlannedLink,
  MemoryRevisionRef,
  RequestedChanges,
  StatementMatches,
  StatementVectors,
  StoredDecision,
  StoredMemory,
  WritePlan,
} from './writes/index.js';
export {
  MAX_STEPS,
  MAX_STEP_LENGTH,
  checkWriting,
  composeProcedure,
  findProcedure,
  trimWriting,
  formatStep,
} from './writing/index.js';
export type { CheckedStatement, FoundProcedure, Procedure, WritingRule } from './writing/index.js';
