import { Module } from '@nestjs/common';
import { EmbeddingModule } from '../embedding/embedding.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { LangGraphStoreController } from './langgraph-store.controller.js';
import { LangGraphStoreService } from './langgraph-store.service.js';
import { StoreVectors } from './store-vectors.js';

/** Items of LangGraph's store (docs/reference/langgraph-store.md). */
@Module({
  imports: [EmbeddingModule, IdempotencyModule],
  controllers: [LangGraphStoreController],
  providers: [LangGraphStoreService, StoreVectors],
})
export class LangGraphStoreModule {}
