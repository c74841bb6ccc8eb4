import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { BatchPoller } from './batch-poller.js';
import { BatchStreams } from './batch-streams.js';
import { BatchesController } from './batches.controller.js';
import { BatchesService } from './batches.service.js';

@Module({
  imports: [IdempotencyModule],
  controllers: [BatchesController],
  providers: [BatchesService, BatchStreams, BatchPoller],
})
export class BatchesModule {}
