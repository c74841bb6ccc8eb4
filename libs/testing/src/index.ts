export {
  compareCpuTime,
  measureCpuGrowth,
  measureCpuMicros,
  MAX_LINEAR_GROWTH,
} from './measuring/measure-cpu-growth.js';
export { isSoak, sized, takeTurns, TEST_SEED } from './run/test-size.js';
export {
  startPrivatePgbouncer,
  startPrivatePostgres,
  startPrivatePrometheus,
  startPrivateRedis,
  type PrivatePrometheus,
  type PrivateServer,
} from './services/private-server.js';
export { startBrowser, type Browser, type BrowserContext, type Page } from './services/browser.js';
export { startTcpProxy, type TcpProxy } from './services/tcp-proxy.js';
export { ScrapingPrometheus, type Series } from './services/scraping-prometheus.js';
export { createTestDatabase, fillDataFolder } from './database/create-test-database.js';
export { createTestPool } from './database/create-test-pool.js';
export { dumpRedis } from './database/dump-redis.js';
export { findTablesContaining } from './database/find-tables-containing.js';
export { APP_PASSWORD, APP_ROLE, type TestDatabase } from './database/test-database.js';
export { ShiftedClock } from './waiting/shifted-clock.js';
export { waitUntil } from './waiting/wait-until.js';
export {
  acknowledge,
  answerWith,
  breakOff,
  hang,
  type ReceivedRequest,
  WEBHOOK_VARIABLES,
  WebhookReceiver,
} from './serving/webhook-receiver.js';
export { type Certificate, createCertificate } from './serving/certificate.js';
export { listenOnLoopback } from './serving/listen-on-loopback.js';
export { AnnalsProcess, type Variables } from './processes/annals-process.js';
export { type AdminQuery, type AnnalsSystem, inspectDatabase } from './processes/annals-system.js';
export { type DistributedSystem, startDistributed } from './processes/start-distributed.js';
export { type StandaloneSystem, startStandalone } from './processes/start-standalone.js';
export {
  type PrivateServersSystem,
  type ProxiedSystem,
  startBehindProxies,
  startOnPrivateServers,
  startOnServices,
  startSystem,
} from './processes/start-system.js';
export { findProgram } from './processes/find-program.js';
export { runAnnals, runProgram } from './processes/run-program.js';
export { type NodeProcess, spawnNode } from './processes/spawn-node.js';
export { createTestKey, createTestSecret, TEST_METRICS_TOKEN } from './processes/test-secrets.js';
export { ApiClient, UnexpectedAnswer } from './client/api-client.js';
export { MCP_CLIENTS, MCP_STDIO_CLIENTS, type ConnectMcp, type McpClient, type McpTool } from './client/mcp-client.js';
export { collectEvents, readEventStream, type ServerSentEvent } from './client/read-event-stream.js';
export { ATTACK_CORPUS, type AttackCase } from './attacks/attack-corpus.js';
export { asTenant } from './scenarios/as-tenant.js';
export { assertNothingLostOrDuplicated, findBrokenInvariants, type Expectations } from './scenarios/invariants.js';
export { HOSTILE_TEXTS, type HostileText } from './scenarios/hostile-texts.js';
export { LIFE_SCRIPTS, type LifeScript } from './scenarios/lives/life-scripts.js';
export { HELD_OUT_MEMORY_PAIRS, type LabelledMemoryPair, MEMORY_PAIRS } from './scenarios/memory-pairs/memory-pairs.js';
export { loseConnection } from './scenarios/lose-connection.js';
export { LoadGenerator } from './scenarios/load-generator.js';
export { factContent, makePost, renderFactMessage, type Post } from './scenarios/synthetic-conversations.js';
export { answerHonestly, lie, type ScriptedDecision } from './scenarios/scripted-pair-answers.js';
export { newEvent, newMemory, newMessage, newPost } from './scenarios/new-inputs.js';
export { startOtlpCollector, type CollectedSpan, type OtlpCollector } from './scenarios/otlp-collector.js';
export { mapConcurrently, waitForBatches, waitUntilDone } from './scenarios/wait-for-batches.js';
export {
  type FakeEmbeddingAnswer,
  type FakeOpenAIEmbeddings,
  type FakeOpenAIEmbeddingsOptions,
  startFakeOpenAIEmbeddings,
} from './providers/fake-openai-embeddings.js';
export type { AnswerBlock, StopReason } from './providers/chat/anthropic-events.js';
export {
  type AnthropicChatAnswer,
  type AnthropicChatRequest,
  type AnthropicChatServer,
  startAnthropicChatServer,
} from './providers/chat/anthropic-chat-server.js';
export {
  type OpenAiChatAnswer,
  type OpenAiChatRequest,
  type OpenAiChatServer,
  startOpenAiChatServer,
} from './providers/chat/openai-chat-server.js';
export { StreamGate } from './providers/chat/stream-gate.js';
export { readAnthropicBlocks, readBreakpointMode, readOpenAIBlocks } from './providers/chat/prompt-blocks.js';
export { BlockCache, type CachedTokens, type CachingRules, type PromptBlock } from './providers/chat/prompt-cache.js';
export { type FakeModels, type FakeModelsOptions, startFakeModels } from './providers/models/fake-models.js';
export { FakeModelsRemote } from './providers/models/control.js';
export { FakeModelsProcess } from './providers/models/fake-models-process.js';
export type { Behaviour } from './providers/models/behaviour.js';
export { answerFromPrompt, decideNothing, parseShownNames } from './providers/models/default-answer.js';
export {
  answerMind,
  parseMind,
  parseShownLines,
  parseShownPairs,
  quoteLine,
  renderDecisions,
  type ShownLine,
  type ShownPair,
} from './providers/models/mind-answers.js';
export type { FakeRequest } from './providers/models/fake-request.js';
export type { Charge, JournalEntry } from './providers/models/journal.js';
export { KNOWN_MODELS } from './providers/models/known-models.js';
export { type MisbehaviourName, TRANSIENT_MISBEHAVIOURS } from './providers/models/misbehaviours.js';
export type { Refusable } from './providers/models/request-rules.js';
export { type FakeRerankServer, startFakeRerankServer } from './providers/rerank/fake-rerank-server.js';
export { writeTinyCrossEncoder } from './providers/onnx/write-tiny-cross-encoder.js';
export { TINY_DIMENSIONS, writeTinyEmbedder } from './providers/onnx/write-tiny-embedder.js';
