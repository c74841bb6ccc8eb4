import { type FailedAuthentication, type ProblemCode, ProblemError } from '@annals/contracts';
import type { Logger, Metrics } from '@annals/observability';
import { LOGGER, METRICS } from '@annals/runtime';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { EventLog } from './event-log.js';

const REFUSALS = ['forbidden_scope', 'forbidden_agent', 'forbidden_category', 'forbidden_user'] as const;
type Refusal = (typeof REFUSALS)[number];

/** Most refused categories of one request that are recorded; the caller can send any number of invented ones. */
const MAX_RECORDED_CATEGORIES = 10;

/** A request that was answered with an error. */
export interface FailedRequest {
  readonly caller: Principal | null;
  /** IP address of the client, or of the one that a trusted proxy reports. */
  readonly address: string;
  readonly method: string;
  /** Path of the route, with its parameters' names. */
  readonly route: string;
  readonly requestId: string | undefined;
}

/** Records refused requests as events and in the log, without content (docs/reference/api.md#refusals-name-what-was-refused). */
@Injectable()
export class RefusalAudit {
  constructor(
    @Inject(EventLog) private readonly events: EventLog,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Records `error` if it is a refusal, and ignores any other error. Neither waits nor throws. */
  record(error: unknown, request: FailedRequest): void {
    if (!(error instanceof ProblemError)) return;
    const { authentication } = error.options;
    if (authentication) this.recordUnauthenticated(authentication, request);
    if (isRefusal(error.code)) this.recordForbidden(error, error.code, request);
  }

  /** An expired key belongs to a tenant, which finds the attempt among its events; an unknown one is only logged. */
  private recordUnauthenticated(
    authentication: FailedAuthentication,
    { address, method, route, requestId }: FailedRequest,
  ): void {
    this.metrics.inc('memory_llm_authentication_failures_total', { reason: authentication.reason });
    this.logger.warn('authentication_failed', { ...authentication, address, method, route, requestId });
    if (authentication.reason !== 'expired' || authentication.tenantId === null) return;
    this.events.record(authentication.tenantId, { node: 'gateway', op: 'refuse', status: 'error' });
    void this.events.flush();
  }

  private recordForbidden(
    error: ProblemError,
    code: Refusal,
    { caller, method, route, requestId }: FailedRequest,
  ): void {
    this.metrics.inc('memory_llm_refused_requests_total', { code });
    if (caller === null) return;
    const { keyId: byKeyId, tenantId } = caller;
    const tenant = tenantId === null ? {} : { tenantId };
    this.logger.warn('request_forbidden', { code, ...tenant, byKeyId, method, route, requestId });
    if (tenantId === null) return;
    const { categories = [], userId = caller.bindings.userId } = error.options.refused ?? {};
    const refused = categories.length === 0 ? [null] : categories.slice(0, MAX_RECORDED_CATEGORIES);
    for (const category of refused) {
      this.events.record(tenantId, { node: 'gateway', op: 'refuse', status: 'error', userId, category });
    }
    // Audit events are written immediately, not with the next flush.
    void this.events.flush();
  }
}

function isRefusal(code: ProblemCode): code is Refusal {
  return REFUSALS.some((refusal) => refusal === code);
}
