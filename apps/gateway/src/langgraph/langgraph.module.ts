import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { LangGraphCheckpointsService } from './langgraph-checkpoints.service.js';
import { LangGraphThreadsService } from './langgraph-threads.service.js';
import { LangGraphController } from './langgraph.controller.js';

@Module({
  imports: [IdempotencyModule],
  controllers: [LangGraphController],
  providers: [LangGraphCheckpointsService, LangGraphThreadsService],
})
export class LangGraphModule {}
