import { counter, gauge, histogram, type MetricDefinition, WAIT_BUCKETS_MS } from './definition.js';

const RESULTS = ['delivered', 'refused', 'timeout', 'unreachable', 'rejected'] as const;

/** Metrics of webhooks (docs/reference/webhooks.md). */
export const webhookMetrics = {
  memory_llm_webhook_attempts_total: counter(
    'Requests to receivers of webhooks, by result. `refused`: the URL or its address is not allowed; `unreachable`: no connection; `rejected`: a status other than 2xx.',
    { result: RESULTS },
  ),
  memory_llm_webhook_attempt_ms: histogram('Duration of one request to a receiver of webhooks.', { result: RESULTS }),
  memory_llm_webhook_delay_ms: histogram(
    'Time from a change until a receiver of webhooks had acknowledged its event.',
    {},
    WAIT_BUCKETS_MS,
  ),
  memory_llm_webhook_dead_total: counter('Events that were given up after their last attempt.', {}),
  memory_llm_webhooks_disabled_total: counter(
    'Webhooks that were disabled: their receiver responded 410 (`gone`), or nothing could be delivered for days (`failing`).',
    { reason: ['gone', 'failing'] },
  ),
  memory_llm_webhooks: gauge(
    'Webhooks of all tenants, by state. `failing`: the last three attempts failed. Read from the database when scraped.',
    { state: ['working', 'failing', 'disabled'] },
  ),
  memory_llm_webhook_pending: gauge(
    'Events that are still to be sent, those of disabled webhooks included. Read from the database when scraped.',
    {},
  ),
  memory_llm_webhook_dead: gauge(
    'Events that were given up and are kept to be sent again. Read from the database when scraped.',
    {},
  ),
  memory_llm_webhook_overdue_ms: gauge(
    'Time since the oldest event became due, for webhooks that work and are sent nothing; 0 without one. Read from the database when scraped.',
    {},
    'ms',
  ),
} satisfies Record<string, MetricDefinition>;
