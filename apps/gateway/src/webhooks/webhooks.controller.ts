import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhooksService } from './webhooks.service.js';

@Controller()
export class WebhooksController {
  constructor(
    @Inject(WebhooksService) private readonly webhooks: WebhooksService,
    @Inject(WebhookDeliveriesService) private readonly deliveries: WebhookDeliveriesService,
  ) {}

  @Endpoint(routes.putWebhook)
  async putWebhook(call: Call<typeof routes.putWebhook>) {
    return this.webhooks.put(call);
  }

  @Endpoint(routes.listWebhooks)
  async listWebhooks(call: Call<typeof routes.listWebhooks>) {
    return ok(await this.webhooks.list(call));
  }

  @Endpoint(routes.getWebhook)
  async getWebhook(call: Call<typeof routes.getWebhook>) {
    return ok(await this.webhooks.get(call));
  }

  @Endpoint(routes.deleteWebhook)
  async deleteWebhook(call: Call<typeof routes.deleteWebhook>) {
    return this.webhooks.delete(call);
  }

  @Endpoint(routes.rotateWebhookSecret)
  async rotateWebhookSecret(call: Call<typeof routes.rotateWebhookSecret>) {
    return this.webhooks.rotateSecret(call);
  }

  @Endpoint(routes.testWebhook)
  async testWebhook(call: Call<typeof routes.testWebhook>) {
    return this.deliveries.test(call);
  }

  @Endpoint(routes.listWebhookDeliveries)
  async listWebhookDeliveries(call: Call<typeof routes.listWebhookDeliveries>) {
    return ok(await this.deliveries.list(call));
  }

  @Endpoint(routes.replayWebhook)
  async replayWebhook(call: Call<typeof routes.replayWebhook>) {
    return this.deliveries.replay(call);
  }
}
