import { routes } from '@annals/contracts';
import type { Logger } from '@annals/observability';
import { CONFIG, LOGGER } from '@annals/runtime';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { RefusalAudit } from '../events/refusal-audit.js';
import { bodyLimitOf } from './body-limit.js';
import { toOpenAiError } from './describe-openai-error.js';
import { describeProblem } from './describe-problem.js';
import { leavesBodyUnread } from './json-body.js';
import { findRequestContext } from './request-context.js';
import { resourceMetadataUrl } from './resource-metadata.js';

/** Answers errors by problem details (RFC 9457), logs unexpected ones and outages, records refusals as events. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(RefusalAudit) private readonly refusals: RefusalAudit,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const context = findRequestContext(request);
    const { method } = request;
    const route = context?.route?.path ?? 'unmatched';
    const requestId = context?.requestId;
    this.refusals.record(error, { caller: context?.caller ?? null, address: request.ip, method, route, requestId });
    const { status, headers, body } = describeProblem(error, {
      method,
      path: request.url.split('?', 1)[0]!,
      bodyLimitBytes: context?.route ? bodyLimitOf(context.route, this.config) : this.config.limits.bodyBytes,
      requestId,
      ...(context?.route === routes.callMcp ? { resourceMetadata: resourceMetadataUrl(request) } : {}),
    });
    const line = {
      requestId,
      method,
      route,
      status,
      error,
    };
    // An outage is a warning, since it is temporary and has its own alert; a bug is an error.
    if (status === 503) this.logger.warn('http_request_error', line);
    else if (status >= 500) this.logger.error('http_request_error', line);
    if (reply.sent || reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    // The rest of the body would otherwise be read, and its client kept busy sending it.
    if (leavesBodyUnread(request)) reply.header('connection', 'close');
    reply.code(status).headers(headers);
    if (context?.route?.errorForm === 'openai')
      reply.type('application/json').send(JSON.stringify(toOpenAiError(body)));
    else reply.type('application/problem+json').send(JSON.stringify(body));
  }
}
