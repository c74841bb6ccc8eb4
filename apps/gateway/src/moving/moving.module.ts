import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { MemoriesModule } from '../memories/memories.module.js';
import { MovingController } from './moving.controller.js';
import { RecordImport } from './record-import.js';

@Module({
  imports: [AuthModule, ConversationsModule, IdempotencyModule, MemoriesModule],
  controllers: [MovingController],
  providers: [RecordImport],
})
export class MovingModule {}
