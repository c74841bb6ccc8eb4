import type { Clock } from '@annals/domain';
import type { Metrics } from '@annals/observability';
import { type Database, readWebhookStanding } from '@annals/storage';

const GAUGES = [
  'memory_llm_webhooks',
  'memory_llm_webhook_pending',
  'memory_llm_webhook_dead',
  'memory_llm_webhook_overdue_ms',
] as const;

/** Collects on each Prometheus scrape how many webhooks there are, and what waits for them. */
export function collectWebhookGauges(metrics: Metrics, database: Database, clock: Clock): void {
  metrics.collectGauges(GAUGES, async () => {
    const now = clock.now();
    const { endpoints, disabled, failing, pending, dead, oldestDueAt } = await readWebhookStanding(database, now);
    const overdueMs = oldestDueAt === null ? 0 : Math.max(0, now - oldestDueAt);
    return [
      { metric: 'memory_llm_webhooks', labels: { state: 'working' }, value: endpoints - disabled - failing },
      { metric: 'memory_llm_webhooks', labels: { state: 'failing' }, value: failing },
      { metric: 'memory_llm_webhooks', labels: { state: 'disabled' }, value: disabled },
      { metric: 'memory_llm_webhook_pending', labels: {}, value: pending },
      { metric: 'memory_llm_webhook_dead', labels: {}, value: dead },
      { metric: 'memory_llm_webhook_overdue_ms', labels: {}, value: overdueMs },
    ];
  });
}
