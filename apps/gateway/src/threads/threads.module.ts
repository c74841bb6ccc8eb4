import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { MemoriesModule } from '../memories/memories.module.js';
import { SummariesService } from './summaries.service.js';
import { ThreadsController } from './threads.controller.js';
import { ThreadsService } from './threads.service.js';

@Module({
  imports: [AuthModule, IdempotencyModule, MemoriesModule],
  controllers: [ThreadsController],
  providers: [ThreadsService, SummariesService],
})
export class ThreadsModule {}
