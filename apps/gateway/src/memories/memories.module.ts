import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { EmbeddingModule } from '../embedding/embedding.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { GlobalMemoriesController } from './global-memories.controller.js';
import { MemoriesController } from './memories.controller.js';
import { MemoriesService } from './memories.service.js';
import { MemoryChanges } from './memory-changes.js';
import { MemoryView } from './memory-view.js';
import { WritingChecks } from './writing-checks.js';

@Module({
  imports: [AuthModule, EmbeddingModule, IdempotencyModule],
  controllers: [MemoriesController, GlobalMemoriesController],
  providers: [MemoriesService, MemoryChanges, MemoryView, WritingChecks],
  exports: [MemoryChanges, MemoryView, WritingChecks],
})
export class MemoriesModule {}
