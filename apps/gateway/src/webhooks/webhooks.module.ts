import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [IdempotencyModule],
  controllers: [WebhooksController],
  providers: [WebhooksService, WebhookDeliveriesService],
})
export class WebhooksModule {}
