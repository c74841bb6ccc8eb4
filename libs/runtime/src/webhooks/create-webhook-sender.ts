import type { Config } from '@annals/config';
import type { Infrastructure } from '../infrastructure/infrastructure.js';
import { AddressRules } from './address-rules.js';
import { collectWebhookGauges } from './collect-webhook-gauges.js';
import { createHostResolver } from './send-webhook.js';
import { WebhookSender } from './webhook-sender.js';

/** The sender of a process, with its gauges. Start it when the application has started, and stop it before its stores close. */
export function createWebhookSender(
  infrastructure: Pick<Infrastructure, 'database' | 'clock' | 'rng' | 'ids' | 'logger' | 'metrics' | 'secrets'>,
  { webhooks }: Config<'webhooks'>,
): WebhookSender {
  const { database, clock, rng, ids, logger, metrics, secrets } = infrastructure;
  collectWebhookGauges(metrics, database, clock);
  return new WebhookSender({
    database,
    clock,
    rng,
    ids,
    logger,
    metrics,
    secrets,
    rules: new AddressRules(webhooks),
    resolve: createHostResolver(),
    timeoutMs: webhooks.timeoutMs,
    disableAfterMs: webhooks.disableAfterMs,
    limits: webhooks,
  });
}
