import type { Config } from '@annals/config';
import { ProblemError, type routes, type Webhook, type WebhookWithSecret, type WebhookPage } from '@annals/contracts';
import { type Clock, deriveWebhookSecret, formatWebhookSecret, type IdGenerator } from '@annals/domain';
import type { Logger } from '@annals/observability';
import { AddressRules, CLOCK, CONFIG, DATABASE, IDS, LOGGER, SECRETS, type Secrets } from '@annals/runtime';
import {
  type Database,
  deleteWebhook,
  listWebhooks,
  putWebhook,
  rotateWebhookSecret,
  type WebhookSalt,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { type Principal, tenantOf } from '../auth/principal.js';
import { type Call, ok } from '../http/call.js';
import { invalidFields } from '../http/parse-input.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { noWebhook, requireWebhook } from './require-webhook.js';

const HOUR_MS = 60 * 60 * 1_000;

@Injectable()
export class WebhooksService {
  private readonly rules: AddressRules;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CONFIG) private readonly config: Config<'webhooks'>,
    @Inject(SECRETS) private readonly secrets: Secrets,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.rules = new AddressRules(config.webhooks);
  }

  async list({ query, caller }: Call<typeof routes.listWebhooks>): Promise<WebhookPage> {
    const now = this.clock.now();
    return this.database.readTenant(tenantOf(caller), (tx) => listWebhooks(tx, query, now));
  }

  async get({ params, caller }: Call<typeof routes.getWebhook>): Promise<Webhook> {
    return this.database.readTenant(tenantOf(caller), (tx) => requireWebhook(tx, params.id, this.clock.now()));
  }

  async put(call: Call<typeof routes.putWebhook>) {
    const { body, caller } = call;
    const url = new URL(body.url);
    const refusal = this.rules.explainRefusal(url);
    if (refusal !== null) throw invalidFields([{ path: 'body.url', message: refusal }]);
    const limit = this.config.webhooks.perTenant;
    return this.writes.run<WebhookWithSecret>(call, async (tx) => {
      const now = this.clock.now();
      const created = { webhookKey: this.ids.next(), salt: this.ids.next() };
      const put = await putWebhook(tx, { ...body, url: url.href, created, limit, now });
      if (put === 'too_many') {
        throw new ProblemError(
          'too_many_webhooks',
          `A tenant may have ${limit} webhooks: delete one, or ask your operator to raise ANNALS_WEBHOOKS_PER_TENANT.`,
        );
      }
      const webhook = await requireWebhook(tx, body.id, now);
      const isNew = put.created !== null;
      const afterCommit = () => this.logger.info('webhook_saved', { ...describe(caller, body.id), isNew });
      if (!put.created) return { answer: ok(webhook), afterCommit };
      const secret = this.showSecret(caller, put.created);
      return { answer: { status: 201, body: { ...webhook, secret } }, storedBody: webhook, afterCommit };
    });
  }

  async delete(call: Call<typeof routes.deleteWebhook>) {
    const { params, caller } = call;
    return this.writes.run(call, async (tx) => {
      const dropped = await deleteWebhook(tx, params.id);
      if (dropped === null) throw noWebhook();
      return {
        answer: ok({ id: params.id, dropped }),
        afterCommit: () => this.logger.info('webhook_deleted', { ...describe(caller, params.id), dropped }),
      };
    });
  }

  async rotateSecret(call: Call<typeof routes.rotateWebhookSecret>) {
    const { params, body, caller } = call;
    return this.writes.run<WebhookWithSecret>(call, async (tx) => {
      const now = this.clock.now();
      const overlapUntil = now + body.overlap_hours * HOUR_MS;
      const rotated = await rotateWebhookSecret(tx, { id: params.id, salt: this.ids.next(), overlapUntil, now });
      if (!rotated) throw noWebhook();
      const webhook = await requireWebhook(tx, params.id, now);
      return {
        answer: ok({ ...webhook, secret: this.showSecret(caller, rotated) }),
        storedBody: webhook,
        afterCommit: () => this.logger.info('webhook_secret_rotated', describe(caller, params.id)),
      };
    });
  }

  private showSecret(caller: Principal, salt: WebhookSalt): string {
    const source = { tenantId: tenantOf(caller), ...salt };
    return formatWebhookSecret(deriveWebhookSecret(this.secrets.webhooks, source));
  }
}

function describe(caller: Principal, webhookId: string) {
  return { tenantId: tenantOf(caller), webhookId, byKeyId: caller.keyId };
}
