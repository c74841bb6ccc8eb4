import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { EmbeddingModule } from '../embedding/embedding.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { MemoriesModule } from '../memories/memories.module.js';
import { QuarantineController } from './quarantine.controller.js';
import { QuarantineService } from './quarantine.service.js';

@Module({
  imports: [AuthModule, EmbeddingModule, IdempotencyModule, MemoriesModule],
  controllers: [QuarantineController],
  providers: [QuarantineService],
})
export class QuarantineModule {}
