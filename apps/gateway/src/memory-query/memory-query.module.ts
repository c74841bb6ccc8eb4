import { loadTokenCounter } from '@annals/llm-core';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { EmbeddingModule } from '../embedding/embedding.module.js';
import { EventsModule } from '../events/events.module.js';
import { AccessLog } from './access-log.js';
import { KnownCosts } from './known-costs.js';
import { MemoryQueryController } from './memory-query.controller.js';
import { MemoryQueryService, TOKEN_COUNTER } from './memory-query.service.js';
import { QueryReads } from './query-reads.js';
import { QueryReranker } from './query-reranker.js';

@Module({
  imports: [AuthModule, EmbeddingModule, EventsModule],
  controllers: [MemoryQueryController],
  providers: [
    MemoryQueryService,
    QueryReads,
    QueryReranker,
    AccessLog,
    KnownCosts,
    { provide: TOKEN_COUNTER, useFactory: loadTokenCounter },
  ],
  exports: [MemoryQueryService, TOKEN_COUNTER],
})
export class MemoryQueryModule {}
