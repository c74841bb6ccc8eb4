import { ApiKeyEntity } from './api-key.entity.js';
import { BatchEntity } from './batch.entity.js';
import { BudgetAlertEntity } from './budget-alert.entity.js';
import { BudgetEpochEntity } from './budget-epoch.entity.js';
import { BudgetEntity } from './budget.entity.js';
import { CallAnswerEntity } from './call-answer.entity.js';
import { ChangeLogEntity } from './change-log.entity.js';
import { CheckpointVersionEntity } from './checkpoint-version.entity.js';
import { CheckpointEntity } from './checkpoint.entity.js';
import { ContextProposalEntity } from './context-proposal.entity.js';
import { ConversationEntity } from './conversation.entity.js';
import { DepartedSpendEntity } from './departed-spend.entity.js';
import { DeploymentBudgetEntity } from './deployment-budget.entity.js';
import { ErasureReceiptEntity } from './erasure-receipt.entity.js';
import { EventEntity } from './event.entity.js';
import { ExtractionEntity } from './extraction.entity.js';
import { HistoryEntity } from './history.entity.js';
import { IdempotencyKeyEntity } from './idempotency-key.entity.js';
import { MaintenanceJobEntity } from './maintenance-job.entity.js';
import { MemoryAccessEntity } from './memory-access.entity.js';
import { LexicalPostingEntity } from './lexical-posting.entity.js';
import { LexicalUnitEntity } from './lexical-unit.entity.js';
import { MemoryEmbeddingEntity } from './memory-embedding.entity.js';
import { MemorySourceEntity } from './memory-source.entity.js';
import { MemoryEntity } from './memory.entity.js';
import { MessageEntity } from './message.entity.js';
import { OperatorKeyEntity } from './operator-key.entity.js';
import { OutboxEntity } from './outbox.entity.js';
import { ReconciliationEntity } from './reconciliation.entity.js';
import { RelationEntity } from './relation.entity.js';
import { ReservationEntity } from './reservation.entity.js';
import { TenantEntity } from './tenant.entity.js';
import { ThreadRevisionEntity } from './thread-revision.entity.js';
import { UsageEntity } from './usage.entity.js';
import { UserContextEntity } from './user-context.entity.js';
import { UserEntity } from './user.entity.js';

/**
 * Every table of schema `annals`. Migrations create the schema; these classes describe it to TypeORM and to readers: a
 * property is named and typed as its column arrives in a row (bigint as string). A spec checks that both match.
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
  LexicalUnitEntity,
  LexicalPostingEntity,
  RelationEntity,
  ThreadRevisionEntity,
  ChangeLogEntity,
  HistoryEntity,
  EventEntity,
  UsageEntity,
  IdempotencyKeyEntity,
  ReservationEntity,
  CallAnswerEntity,
  BudgetEntity,
  DeploymentBudgetEntity,
  BudgetAlertEntity,
  BudgetEpochEntity,
  DepartedSpendEntity,
  MaintenanceJobEntity,
  MemoryAccessEntity,
  ReconciliationEntity,
  UserContextEntity,
  ContextProposalEntity,
  CheckpointEntity,
  CheckpointVersionEntity,
  ErasureReceiptEntity,
];
