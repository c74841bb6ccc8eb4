import { type DynamicModule, Module } from '@nestjs/common';
import { KeysModule } from './admin/keys.module.js';
import { BatchesModule } from './batches/batches.module.js';
import { ChatModule } from './chat/chat.module.js';
import { CheckpointsModule } from './checkpoints/checkpoints.module.js';
import { LangGraphModule } from './langgraph/langgraph.module.js';
import { GATEWAY_OPTIONS, type GatewayOptions } from './config.js';
import { ConsoleModule } from './console/console.module.js';
import { ContextModule } from './context/context.module.js';
import { ConversationsModule } from './conversations/conversations.module.js';
import { DocsModule } from './docs/docs.module.js';
import { EventsModule } from './events/events.module.js';
import { HttpModule } from './http/http.module.js';
import { AppsModule } from './apps/apps.module.js';
import { InsightsModule } from './insights/insights.module.js';
import { LangGraphStoreModule } from './langgraph-store/langgraph-store.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { MemoriesModule } from './memories/memories.module.js';
import { MemoryQueryModule } from './memory-query/memory-query.module.js';
import { MindsModule } from './minds/minds.module.js';
import { TenantsModule } from './operator/tenants.module.js';
import { ForgettingModule } from './forgetting/forgetting.module.js';
import { PersonModule } from './person/person.module.js';
import { PrivacyModule } from './privacy/privacy.module.js';
import { MovingModule } from './moving/moving.module.js';
import { QueueAdminModule } from './queue-admin/queue-admin.module.js';
import { QuarantineModule } from './quarantine/quarantine.module.js';
import { SpendingModule } from './spending/spending.module.js';
import { ThreadsModule } from './threads/threads.module.js';
import { ConsolidationModule } from './consolidation/consolidation.module.js';
import { UsersModule } from './users/users.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { WorkModule } from './work/work.module.js';

const FEATURES = [
  ConversationsModule,
  BatchesModule,
  MemoriesModule,
  InsightsModule,
  AppsModule,
  QuarantineModule,
  PrivacyModule,
  ForgettingModule,
  MovingModule,
  MemoryQueryModule,
  ThreadsModule,
  EventsModule,
  KeysModule,
  TenantsModule,
  ContextModule,
  CheckpointsModule,
  LangGraphModule,
  LangGraphStoreModule,
  SpendingModule,
  WorkModule,
  WebhooksModule,
  ConsolidationModule,
  MindsModule,
  McpModule,
  ChatModule,
  DocsModule,
  QueueAdminModule,
  UsersModule,
  ConsoleModule,
  PersonModule,
];

/** Makes the options injectable everywhere. */
@Module({})
class GatewayOptionsModule {}

/**
 * The REST API: conversations are accepted with 202, all other requests are answered directly. Each feature is a module
 * of its folder. Requires InfrastructureModule with a GatewayConfig as CONFIG.
 */
@Module({})
export class GatewayModule {
  static forRoot(options: GatewayOptions): DynamicModule {
    const provided: DynamicModule = {
      module: GatewayOptionsModule,
      global: true,
      providers: [{ provide: GATEWAY_OPTIONS, useValue: options }],
      exports: [GATEWAY_OPTIONS],
    };
    return { module: GatewayModule, imports: [provided, HttpModule, ...FEATURES] };
  }
}
