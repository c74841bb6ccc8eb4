import { ProblemError, type RouteDefinition } from '@annals/contracts';
import type { IdGenerator, Pause } from '@annals/domain';
import { type Logger, type Metrics, setHttpSpanName } from '@annals/observability';
import { CONFIG, IDS, LOGGER, METRICS, PAUSE, Redactors } from '@annals/runtime';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator } from '../auth/authenticator.js';
import { type Admission, RequestLimits } from '../auth/request-limits.js';
import { RouteGuard } from '../auth/route-guard.js';
import type { GatewayConfig } from '../config.js';
import { applyIdPolicyToCaller } from '../redaction/personal-ids.js';
import { KnownUserForms } from '../redaction/known-users.js';
import { bodyLimitOf } from './body-limit.js';
import { parseRequestId, rateLimitHeaders, SECURITY_HEADERS } from './headers.js';
import { InputAdmission } from './input-admission.js';
import { refuseAnyBody, refuseLargeBody } from './json-body.js';
import { findRequestContext, type RequestContext, setRequestContext } from './request-context.js';
import { findRoute, isPagePath, isSignInPath } from './route-table.js';

const STREAMED_MEDIA: ReadonlySet<string> = new Set(['text/event-stream', 'application/x-ndjson']);

/** Smaller ones are parsed and validated in a few milliseconds. */
const LARGE_BODY_BYTES = 262_144;

type StatusClass = '1xx' | '2xx' | '3xx' | '4xx' | '5xx';

/**
 * Runs around every request. Before the body is read: request id, headers, route, key, scope, bindings and rate limit,
 * so that nothing of an unauthenticated caller is parsed. Then the request is parsed, and compared with the bindings of
 * its key. After the response: metrics and log.
 */
@Injectable()
export class RequestHooks {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(RequestLimits) private readonly limits: RequestLimits,
    @Inject(Redactors) private readonly redactors: Redactors,
    @Inject(KnownUserForms) private readonly userForms: KnownUserForms,
    @Inject(RouteGuard) private readonly guard: RouteGuard,
    @Inject(InputAdmission) private readonly inputs: InputAdmission,
    @Inject(PAUSE) private readonly pause: Pause,
  ) {}

  readonly onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const requestId = parseRequestId(request.headers['x-request-id']) ?? this.ids.next();
    const pattern = request.is404 ? undefined : request.routeOptions.url;
    const route = findRoute(request.method, pattern);
    const context: RequestContext = {
      requestId,
      route,
      caller: null,
      redactor: null,
      boundUser: undefined,
      admitted: null,
      rawBody: null,
      countBody: null,
      startedAt: performance.now(),
    };
    setRequestContext(request, context);
    reply.header('x-request-id', requestId).headers(SECURITY_HEADERS);
    if (request.is404) return;
    setHttpSpanName(request.method, pattern!);
    if (route === null && !isPagePath(pattern!)) throw new Error('A bound route is missing in the route table.');
    if (isSignInPath(pattern)) refuseAnyBody(request);
    if (route === null || route.scopes === 'public') return;
    refuseStreamedHead(request, route);
    await this.admit(request, reply, context, route);
  };

  /** Between parsing and validating a large body, which take some ten milliseconds each, the event loop turns. */
  readonly preValidation = async (request: FastifyRequest): Promise<void> => {
    const context = findRequestContext(request);
    if (context?.rawBody && context.rawBody.length > LARGE_BODY_BYTES) await this.pause();
  };

  readonly preHandler = async (request: FastifyRequest): Promise<void> => {
    const context = findRequestContext(request);
    if (!context?.route || !context.caller || !context.redactor) return;
    const { route, caller, redactor, boundUser } = context;
    context.admitted = await this.inputs.admit(route, request, { caller, redactor, boundUser });
  };

  readonly onResponse = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const context = findRequestContext(request);
    const durationMs = context ? performance.now() - context.startedAt : reply.elapsedTime;
    const route = context?.route?.path ?? 'unmatched';
    const method = context?.route?.method ?? 'OTHER';
    const status = reply.statusCode;
    const labels = { route, method, status_class: `${Math.floor(status / 100)}xx` as StatusClass };
    this.metrics.inc('memory_llm_http_requests_total', labels);
    this.metrics.observe('memory_llm_http_request_duration_ms', durationMs, labels);
    if (this.logger.isEnabled('debug')) {
      this.logger.debug('http_request_complete', { requestId: context?.requestId, method, route, status, durationMs });
    }
    done();
  };

  private async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    context: RequestContext,
    route: RouteDefinition,
  ): Promise<void> {
    const caller = await this.authenticator.authenticate(request.headers.authorization, request.ip);
    this.report(reply, await this.limits.countRequest(caller.keyId));
    const redactor = await this.redactors.of(caller.tenantId);
    // First of all, since a refusal is recorded with the user that the key is bound to.
    const { userId } = caller.bindings;
    const ids = userId === null ? [] : [userId];
    const forms = await this.userForms.find(caller.tenantId, ids, redactor);
    const bound = applyIdPolicyToCaller(caller, redactor, forms);
    context.boundUser = { ids, forms };
    context.caller = bound;
    context.redactor = redactor;
    this.guard.checkRoute(route, bound);
    refuseEncodedBody(request);
    refuseLargeBody(request, bodyLimitOf(route, this.config));
    const countBody = async (bytes: number) => this.report(reply, await this.limits.countBytes(caller.keyId, bytes));
    const length = request.headers['content-length'];
    if (length === undefined) context.countBody = countBody;
    else if (Number(length) > 0) await countBody(Number(length));
  }

  /** Describes the limits of the key in the response. Throws the refusal, if it is one. */
  private report(reply: FastifyReply, { allowances, refusal }: Admission): void {
    reply.headers(rateLimitHeaders(allowances));
    if (refusal === null) return;
    this.metrics.inc('memory_llm_rate_limited_requests_total', { limit: refusal.limit });
    throw refusal.problem;
  }
}

/** Fastify answers HEAD by running GET: an event stream would never end, and an export would be read for nothing. */
function refuseStreamedHead(request: FastifyRequest, route: RouteDefinition): void {
  if (request.method === 'HEAD' && STREAMED_MEDIA.has(route.media ?? '')) {
    throw new ProblemError('method_not_allowed', 'Use GET for this path.');
  }
}

function refuseEncodedBody(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return;
  throw new ProblemError('unsupported_media_type', 'Send the body uncompressed, without Content-Encoding.');
}
