import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { ConversationIngestion } from './conversation-ingestion.js';
import { ConversationsController } from './conversations.controller.js';
import { ConversationsService } from './conversations.service.js';
import { DryRuns } from './dry-runs.js';
import { MessageKeys } from './message-keys.js';

@Module({
  imports: [IdempotencyModule],
  controllers: [ConversationsController],
  providers: [ConversationIngestion, ConversationsService, DryRuns, MessageKeys],
  exports: [ConversationIngestion, MessageKeys],
})
export class ConversationsModule {}
