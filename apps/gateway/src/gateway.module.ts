import { type EmbeddingProvider, loadTokenCounter, type Reranker } from '@annals/llm-core';
import { CLOCK, CONFIG } from '@annals/runtime';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { KeysController } from './admin/keys.controller.js';
import { KeysService } from './admin/keys.service.js';
import { AgentCatalog, type CategorySource } from './auth/agent-catalog.js';
import { Authenticator } from './auth/authenticator.js';
import { KeyCache } from './auth/key-cache.js';
import { RequestLimits } from './auth/request-limits.js';
import { BatchPoller } from './batches/batch-poller.js';
import { BatchStreams } from './batches/batch-streams.js';
import { BatchesController } from './batches/batches.controller.js';
import { BatchesService } from './batches/batches.service.js';
import { CheckpointReads } from './checkpoints/checkpoint-reads.js';
import { CheckpointWrites } from './checkpoints/checkpoint-writes.js';
import { CheckpointsController } from './checkpoints/checkpoints.controller.js';
import type { GatewayConfig } from './config.js';
import { ContextReads } from './context/context-reads.js';
import { ContextWrites } from './context/context-writes.js';
import { ContextController } from './context/context.controller.js';
import { ConversationIngestion } from './conversations/conversation-ingestion.js';
import { ConversationsController } from './conversations/conversations.controller.js';
import { ConversationsService } from './conversations/conversations.service.js';
import { DocsController } from './docs/docs.controller.js';
import { ContentEmbedder } from './embedding/content-embedder.js';
import { DEFAULT_EMBEDDING_TIMEOUTS, type EmbeddingTimeouts } from './embedding/embedding-attempt.js';
import { QueryEmbedder } from './embedding/query-embedder.js';
import { EMBEDDER, EMBEDDING_TIMEOUTS } from './embedding/tokens.js';
import { EventLog } from './events/event-log.js';
import { EventReads } from './events/event-reads.js';
import { EventsController } from './events/events.controller.js';
import { RefusalAudit } from './events/refusal-audit.js';
import { ConnectionDrain } from './http/connection-drain.js';
import { FastifySetup } from './http/fastify-setup.js';
import { ProblemFilter } from './http/problem-filter.js';
import { RequestHooks } from './http/request-hooks.js';
import { IdempotentWrites } from './idempotency/idempotent-writes.js';
import { MemoriesController } from './memories/memories.controller.js';
import { MemoryChanges } from './memories/memory-changes.js';
import { MemoryReads } from './memories/memory-reads.js';
import { MemoryView } from './memories/memory-view.js';
import { MemoryWrites } from './memories/memory-writes.js';
import { AccessLog } from './memory-query/access-log.js';
import { MemoryQueryController } from './memory-query/memory-query.controller.js';
import { MemoryQueryService } from './memory-query/memory-query.service.js';
import { QueryReads } from './memory-query/query-reads.js';
import { TOKEN_COUNTER } from './memory-query/tokens.js';
import { QueryReranker } from './rerank/query-reranker.js';
import { RERANKER } from './rerank/tokens.js';
import { PrivacyController } from './privacy/privacy.controller.js';
import { PrivacyService } from './privacy/privacy.service.js';
import { QuarantineController } from './quarantine/quarantine.controller.js';
import { QuarantineService } from './quarantine/quarantine.service.js';
import { DeploymentBudgets } from './spending/deployment-budgets.js';
import { SpendingController } from './spending/spending.controller.js';
import { TenantBudgets } from './spending/tenant-budgets.js';
import { UsageReads } from './spending/usage-reads.js';
import { TenantKeysService } from './operator/tenant-keys.service.js';
import { TenantsController } from './operator/tenants.controller.js';
import { TenantsService } from './operator/tenants.service.js';
import { RelatedReads } from './threads/related-reads.js';
import { ThreadDeltas } from './threads/thread-deltas.js';
import { ThreadsController } from './threads/threads.controller.js';

export interface GatewayOptions {
  /** Embeds queries and manually written memories. Must be the model that persistence uses. */
  readonly embedder: EmbeddingProvider;
  /** Timeouts of the embedder. */
  readonly embeddingTimeouts?: EmbeddingTimeouts;
  /** Reranks the best candidates of a query; null for none. */
  readonly reranker: Reranker | null;
  /** The categories, and the allowlists of agents. */
  readonly categories: CategorySource;
}

/**
 * The REST API: conversations are accepted with 202, all other requests are answered directly. Requires
 * InfrastructureModule with a GatewayConfig as CONFIG.
 */
@Module({})
export class GatewayModule {
  static forRoot({
    embedder,
    embeddingTimeouts = DEFAULT_EMBEDDING_TIMEOUTS,
    reranker,
    categories,
  }: GatewayOptions): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [
        ConversationsController,
        BatchesController,
        MemoriesController,
        QuarantineController,
        PrivacyController,
        MemoryQueryController,
        ThreadsController,
        EventsController,
        KeysController,
        TenantsController,
        ContextController,
        CheckpointsController,
        SpendingController,
        DocsController,
      ],
      providers: [
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: EMBEDDER, useValue: embedder },
        { provide: EMBEDDING_TIMEOUTS, useValue: embeddingTimeouts },
        { provide: RERANKER, useValue: reranker },
        { provide: TOKEN_COUNTER, useFactory: loadTokenCounter },
        { provide: AgentCatalog, useValue: new AgentCatalog(categories) },
        { provide: KeyCache, useFactory: (clock: { now(): number }) => new KeyCache(clock), inject: [CLOCK] },
        {
          provide: RequestLimits,
          useFactory: ({ limits }: GatewayConfig) => new RequestLimits(limits.requestsPerMinute),
          inject: [CONFIG],
        },
        Authenticator,
        RequestHooks,
        FastifySetup,
        ConnectionDrain,
        IdempotentWrites,
        ConversationIngestion,
        ConversationsService,
        BatchPoller,
        BatchStreams,
        BatchesService,
        ContentEmbedder,
        QueryEmbedder,
        QueryReranker,
        MemoryView,
        MemoryReads,
        MemoryChanges,
        MemoryWrites,
        ContextReads,
        ContextWrites,
        CheckpointReads,
        CheckpointWrites,
        QuarantineService,
        PrivacyService,
        MemoryQueryService,
        QueryReads,
        AccessLog,
        EventLog,
        EventReads,
        RefusalAudit,
        ThreadDeltas,
        RelatedReads,
        KeysService,
        TenantsService,
        TenantKeysService,
        TenantBudgets,
        DeploymentBudgets,
        UsageReads,
      ],
    };
  }
}
