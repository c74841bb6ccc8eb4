export { measureCpuGrowth, MAX_LINEAR_GROWTH } from './measuring/measure-cpu-growth.js';
export { isSoak, sized, TEST_SEED } from './run/test-size.js';
export { startPrivatePostgres, startPrivateRedis, type PrivateServer } from './services/private-server.js';
export { createTestDatabase } from './database/create-test-database.js';
export { createTestPool } from './database/create-test-pool.js';
export type { TestDatabase, TestDatabaseAddress, TestProfile } from './database/test-database.js';
export { startTestDatabases, type TestDatabases, type TestDatabasesOptions } from './database/start-test-databases.js';
export { waitUntil, WaitTimeoutError, type WaitOptions } from './waiting/wait-until.js';
export { AnnalsProcess, type AppName, type Variables } from './processes/annals-process.js';
export type { AdminQuery, AnnalsSystem } from './processes/annals-system.js';
export { startDistributed, type DistributedOptions, type DistributedSystem } from './processes/start-distributed.js';
export { startStandalone, type StandaloneOptions, type StandaloneSystem } from './processes/start-standalone.js';
export {
  startOnPrivateServers,
  startOnServices,
  startSystem,
  type PrivateServersSystem,
  type ServicesOptions,
  type SystemOptions,
} from './processes/start-system.js';
export { spawnNode, type NodeProcess, type SpawnNodeOptions } from './processes/spawn-node.js';
export { createTestKey } from './processes/test-secrets.js';
export { ApiClient, UnexpectedAnswer, type ApiAnswer, type CallInput, type RawAnswer } from './client/api-client.js';
export { collectEvents, readEventStream, type ServerSentEvent } from './client/read-event-stream.js';
export { asTenant } from './scenarios/as-tenant.js';
export { assertNothingLostOrDuplicated, findBrokenInvariants, type Expectations } from './scenarios/invariants.js';
export { LoadGenerator, type LoadGeneratorOptions } from './scenarios/load-generator.js';
export { factContent, makePost, renderFactMessage, type Post } from './scenarios/synthetic-conversations.js';
export { newEvent } from './scenarios/new-event.js';
export { newMemory } from './scenarios/new-memory.js';
export { newMessage, newPost } from './scenarios/new-post.js';
export { startOtlpCollector, type CollectedSpan, type OtlpCollector } from './scenarios/otlp-collector.js';
export {
  mapConcurrently,
  waitForBatches,
  waitUntilDone,
  type WaitForBatchesOptions,
} from './scenarios/wait-for-batches.js';
export { fakeVector } from './providers/embeddings-answer.js';
export { startFakeOpenAIEmbeddings } from './providers/fake-openai-embeddings.js';
export type {
  FakeEmbeddingAnswer,
  FakeEmbeddingRequest,
  FakeOpenAIEmbeddings,
  FakeOpenAIEmbeddingsOptions,
} from './providers/fake-openai-embeddings.js';
export {
  startFakeModels,
  type FakeModels,
  type FakeModelsOptions,
  type FakeModelsSettings,
} from './providers/models/fake-models.js';
export { FakeModelsRemote } from './providers/models/control.js';
export { FakeModelsProcess } from './providers/models/fake-models-process.js';
export type {
  AnswerBehaviour,
  Behaviour,
  BreakPosition,
  Endpoint,
  PlannedUsage,
  RetryHint,
} from './providers/models/behaviour.js';
export type { BehaviourRule } from './providers/models/behaviour-source.js';
export {
  answerFromPrompt,
  decideNothing,
  parsePromptMessages,
  parseShownNames,
  type PromptMessage,
} from './providers/models/default-answer.js';
export type { FakeRequest, ModelApi } from './providers/models/fake-request.js';
export { Journal, type JournalEntry, type JournalSummary } from './providers/models/journal.js';
export { KNOWN_MODELS, type FakeModel } from './providers/models/known-models.js';
export {
  MISBEHAVIOUR_NAMES,
  TRANSIENT_MISBEHAVIOURS,
  createMisbehaviour,
  type MisbehaviourName,
  type MisbehaviourMix,
} from './providers/models/misbehaviours.js';
export type { RateLimits } from './providers/models/rate-window.js';
export type { Refusable, ServerRules } from './providers/models/request-rules.js';
export { countFakeTokens, type CountedUsage } from './providers/models/usage.js';
export {
  startFakeRerankServer,
  type FakeRerankAnswer,
  type FakeRerankRequest,
  type FakeRerankServer,
} from './providers/rerank/fake-rerank-server.js';
export { writeTinyCrossEncoder } from './providers/rerank/write-tiny-cross-encoder.js';
