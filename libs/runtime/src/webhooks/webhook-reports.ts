import type { Clock } from '@annals/domain';
import type { Logger, Metrics } from '@annals/observability';
import type { FeedHold } from '@annals/storage';
import type { AttemptFailure, DeliveredOutcome } from './deliver-event.js';

interface ReportDependencies {
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

type Result = 'delivered' | 'refused' | 'timeout' | 'unreachable' | 'rejected';

const RESULTS: Readonly<Record<AttemptFailure, Result>> = {
  url_refused: 'refused',
  address_refused: 'refused',
  dns: 'unreachable',
  connection: 'unreachable',
  tls: 'unreachable',
  timeout: 'timeout',
  redirect: 'rejected',
  gone: 'rejected',
  status: 'rejected',
};

/** Failures in a row, after which an endpoint gets one request at a time. */
const FAILING_AFTER = 3;

const DISABLED = 'memory_llm_webhooks_disabled_total';

/** Metrics and log lines of attempts: ids, numbers and codes, never a URL or a body. */
export class WebhookReports {
  constructor(private readonly deps: ReportDependencies) {
    // A rate misses the first increment of a series that begins with it.
    deps.metrics.add('memory_llm_webhook_dead_total', 0);
    for (const reason of ['gone', 'failing'] as const) deps.metrics.add(DISABLED, 0, { reason });
  }

  /** How long one request took. */
  time(outcome: DeliveredOutcome, durationMs: number): void {
    const result = resultOf(outcome);
    this.deps.metrics.inc('memory_llm_webhook_attempts_total', { result });
    this.deps.metrics.observe('memory_llm_webhook_attempt_ms', durationMs, { result });
  }

  /** An attempt that was recorded, as one of so many failures in a row. */
  attempt({ tenantId }: FeedHold, outcome: DeliveredOutcome, failures: number): void {
    const { metrics, logger, clock } = this.deps;
    const { delivery, kind, failure, responseStatus, disable } = outcome;
    const about = { tenantId, webhookId: delivery.id };
    if (failure === null) {
      metrics.observe('memory_llm_webhook_delay_ms', Math.max(0, clock.now() - delivery.occurred_at.getTime()));
      return;
    }
    const attempts = delivery.attempts + 1;
    const details = { ...about, eventId: delivery.event_id, attempts, failure };
    logger.info('webhook_attempt_failed', responseStatus === null ? details : { ...details, responseStatus });
    if (failures === FAILING_AFTER) logger.warn('webhook_failing', { ...about, failure });
    if (kind === 'dead') {
      metrics.inc('memory_llm_webhook_dead_total');
      logger.warn('webhook_event_dead', { ...about, eventId: delivery.event_id, attempts });
    }
    if (disable !== null) {
      metrics.inc(DISABLED, { reason: disable });
      logger.warn('webhook_disabled', { ...about, reason: disable });
    }
  }
}

function resultOf({ failure }: DeliveredOutcome): Result {
  return failure === null ? 'delivered' : RESULTS[failure];
}
