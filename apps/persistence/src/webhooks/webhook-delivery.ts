import type { Config } from '@annals/config';
import { CONFIG, createWebhookSender, type Infrastructure, INFRASTRUCTURE, type WebhookSender } from '@annals/runtime';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';

/** Sends the events of webhooks from when the application has started until it stops. */
@Injectable()
export class WebhookDelivery implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly sender: WebhookSender;

  constructor(@Inject(INFRASTRUCTURE) infrastructure: Infrastructure, @Inject(CONFIG) config: Config<'webhooks'>) {
    this.sender = createWebhookSender(infrastructure, config);
  }

  onApplicationBootstrap(): void {
    this.sender.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.sender.stop();
  }
}
