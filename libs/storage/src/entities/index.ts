import { ApiKeyEntity } from './api-key.entity.js';
import { BatchEntity } from './batch.entity.js';
import { ChangeLogEntity } from './change-log.entity.js';
import { ConversationEntity } from './conversation.entity.js';
import { EventEntity } from './event.entity.js';
import { ExtractionEntity } from './extraction.entity.js';
import { HistoryEntity } from './history.entity.js';
import { IdempotencyKeyEntity } from './idempotency-key.entity.js';
import { MemoryEntity } from './memory.entity.js';
import { MemoryEmbeddingEntity } from './memory-embedding.entity.js';
import { MemorySourceEntity } from './memory-source.entity.js';
import { MemoryTermEntity } from './memory-term.entity.js';
import { MessageEntity } from './message.entity.js';
import { OperatorKeyEntity } from './operator-key.entity.js';
import { OutboxEntity } from './outbox.entity.js';
import { RelationEntity } from './relation.entity.js';
import { TenantEntity } from './tenant.entity.js';
import { ThreadRevisionEntity } from './thread-revision.entity.js';
import { UsageEntity } from './usage.entity.js';
import { UserEntity } from './user.entity.js';

/**
 * Every table of schema `annals`. Migrations make the schema; these classes tell TypeORM, and a reader, what it is: a
 * property is named and typed as its column arrives in a row (bigint as string). A spec holds the two together.
 */
export const ENTITIES = [
  TenantEntity,
  OperatorKeyEntity,
  ApiKeyEntity,
  UserEntity,
  ConversationEntity,
  BatchEntity,
  MessageEntity,
  ExtractionEntity,
  OutboxEntity,
  MemoryEntity,
  MemorySourceEntity,
  MemoryEmbeddingEntity,
  MemoryTermEntity,
  RelationEntity,
  ThreadRevisionEntity,
  ChangeLogEntity,
  HistoryEntity,
  EventEntity,
  UsageEntity,
  IdempotencyKeyEntity,
];

export {
  ApiKeyEntity,
  BatchEntity,
  ChangeLogEntity,
  ConversationEntity,
  EventEntity,
  ExtractionEntity,
  HistoryEntity,
  IdempotencyKeyEntity,
  MemoryEntity,
  MemoryEmbeddingEntity,
  MemorySourceEntity,
  MemoryTermEntity,
  MessageEntity,
  OperatorKeyEntity,
  OutboxEntity,
  RelationEntity,
  TenantEntity,
  ThreadRevisionEntity,
  UsageEntity,
  UserEntity,
};
