import { highest, increase } from '../promql.ts';
import { defineAlerts } from './alert.ts';

/** Alerts of webhooks. That a receiver of a tenant fails is theirs to mend: it is counted, and nobody is woken. */
export const webhookAlerts = defineAlerts({
  AnnalsWebhooksOverdue: {
    severity: 'page',
    value: highest('memory_llm_webhook_overdue_ms'),
    fires: '> 600000',
    for: '5m',
    summary: 'Events of webhooks that work have been due for {{ $value | humanize }} ms.',
    meaning: 'Receivers are not told in time. Nothing is lost: events wait in PostgreSQL, in order.',
    checks: [
      'Replicas of persistence, which send; `webhooks_failed` in their log.',
      '`memory_llm_webhook_attempts_total` by result: many `timeout` are slow receivers that use up the places of the processes.',
    ],
    actions: ['Start or add replicas of persistence, or raise `ANNALS_WEBHOOKS_CONCURRENCY`.'],
  },
  AnnalsWebhookRefused: {
    severity: 'ticket',
    value: increase('memory_llm_webhook_attempts_total', { where: { result: 'refused' }, over: '1h' }),
    fires: '> 0',
    for: '0m',
    summary: 'A webhook led to an address that is not allowed.',
    meaning:
      'The name of a receiver has a private address, by mistake or on purpose. No connection was opened; the event is tried again like any other.',
    checks: [
      '`webhook_attempt_failed` in the log names tenant and webhook; its failure is that the address was refused.',
    ],
    actions: [
      'If the receiver is meant to be inside: name its network in `ANNALS_WEBHOOKS_ALLOWED_NETWORKS`, as narrow as possible.',
      'Otherwise ask the tenant, or revoke the key that set it: `webhook_saved` in the log names it.',
    ],
  },
  AnnalsWebhookEventsDead: {
    severity: 'ticket',
    value: increase('memory_llm_webhook_dead_total', { over: '1h' }),
    fires: '> 0',
    for: '0m',
    summary: '{{ $value | humanize }} events of webhooks were given up in the last hour.',
    meaning: 'Their receiver did not acknowledge them in 75 hours. They are kept for `ANNALS_WEBHOOKS_KEEP_DAYS`.',
    checks: ['`GET /v1/webhooks/{id}/deliveries?status=dead` with a key of the tenant: response status and failure.'],
    actions: ['When the receiver is mended: `POST /v1/webhooks/{id}/replay`.'],
  },
  AnnalsWebhookDisabled: {
    severity: 'ticket',
    value: increase('memory_llm_webhooks_disabled_total', { by: ['reason'], over: '1h' }),
    fires: '> 0',
    for: '0m',
    summary: 'A webhook was disabled: {{ $labels.reason }}.',
    meaning: 'Its receiver answered 410, or accepted nothing for days. Its events wait until it is enabled again.',
    checks: ['`webhook_disabled` in the log names tenant and webhook.'],
    actions: ['Tell the tenant. A PUT of the webhook enables it again.'],
  },
});
