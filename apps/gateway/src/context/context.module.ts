import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { ContextController } from './context.controller.js';
import { ContextService } from './context.service.js';

@Module({
  imports: [AuthModule, IdempotencyModule],
  controllers: [ContextController],
  providers: [ContextService],
})
export class ContextModule {}
