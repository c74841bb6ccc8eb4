import { type ProblemCode, ProblemError } from '@annals/contracts';
import type { Metrics } from '@annals/observability';
import { METRICS } from '@annals/runtime';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { EventLog } from './event-log.js';

const REFUSALS = ['forbidden_scope', 'forbidden_agent', 'forbidden_category', 'forbidden_user'] as const;
type Refusal = (typeof REFUSALS)[number];

/** Most refused categories of one request that are recorded; the caller can send any number of invented ones. */
const MAX_RECORDED_CATEGORIES = 10;

/** Records refused requests as events, without content (docs/reference/api.md#refusals-name-what-was-refused). */
@Injectable()
export class RefusalAudit {
  constructor(
    @Inject(EventLog) private readonly events: EventLog,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {}

  /** Records `error` if it is a refusal, and ignores any other error. Neither waits nor throws. */
  record(error: unknown, caller: Principal | null): void {
    if (!(error instanceof ProblemError) || !isRefusal(error.code)) return;
    this.metrics.inc('memory_llm_refused_requests_total', { code: error.code });
    if (caller === null || caller.tenantId === null) return;
    const { categories = [], userId = caller.bindings.userId } = error.options.refused ?? {};
    const refused = categories.length === 0 ? [null] : categories.slice(0, MAX_RECORDED_CATEGORIES);
    for (const category of refused) {
      this.events.record(caller.tenantId, { node: 'gateway', op: 'refuse', status: 'error', userId, category });
    }
    // Audit events are written immediately, not with the next flush.
    void this.events.flush();
  }
}

function isRefusal(code: ProblemCode): code is Refusal {
  return REFUSALS.some((refusal) => refusal === code);
}
