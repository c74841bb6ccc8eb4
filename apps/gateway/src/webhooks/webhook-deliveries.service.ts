import type { routes, WebhookDeliveryPage } from '@annals/contracts';
import type { Clock, IdGenerator } from '@annals/domain';
import type { Logger } from '@annals/observability';
import { CLOCK, DATABASE, IDS, LOGGER } from '@annals/runtime';
import { type Database, listWebhookDeliveries, replayWebhook, testWebhook } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import { type Call, ok } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { requireWebhookKey } from './require-webhook.js';

@Injectable()
export class WebhookDeliveriesService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async list({ params, query, caller }: Call<typeof routes.listWebhookDeliveries>): Promise<WebhookDeliveryPage> {
    return this.database.readTenant(tenantOf(caller), async (tx) =>
      listWebhookDeliveries(tx, await requireWebhookKey(tx, params.id), query),
    );
  }

  async test(call: Call<typeof routes.testWebhook>) {
    return this.writes.run(call, async (tx) => {
      const webhookKey = await requireWebhookKey(tx, call.params.id);
      const eventId = this.ids.next();
      await testWebhook(tx, webhookKey, eventId, this.clock.now());
      return { answer: { status: 202, body: { event_id: eventId } } };
    });
  }

  async replay(call: Call<typeof routes.replayWebhook>) {
    const { params, body, caller } = call;
    return this.writes.run(call, async (tx) => {
      const webhookKey = await requireWebhookKey(tx, params.id);
      const replayed = await replayWebhook(tx, webhookKey, body, this.clock.now());
      return {
        answer: ok(replayed),
        afterCommit: () =>
          this.logger.info('webhook_replayed', {
            tenantId: tenantOf(caller),
            webhookId: params.id,
            replayed: replayed.replayed,
            byKeyId: caller.keyId,
          }),
      };
    });
  }
}
