import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { ForgettingController } from './forgetting.controller.js';
import { ForgettingService } from './forgetting.service.js';

@Module({
  imports: [IdempotencyModule],
  controllers: [ForgettingController],
  providers: [ForgettingService],
})
export class ForgettingModule {}
