import type { Logger } from '@annals/observability';
import { CONFIG, LOGGER } from '@annals/runtime';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { RefusalAudit } from '../events/refusal-audit.js';
import { describeProblem } from './describe-problem.js';
import { findRequestContext } from './request-context.js';

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
    this.refusals.record(error, context?.caller ?? null);
    const { status, headers, body } = describeProblem(error, {
      method: request.method,
      path: request.url.split('?', 1)[0]!,
      bodyLimitBytes: this.config.limits.bodyBytes,
      requestId: context?.requestId,
    });
    const line = {
      requestId: context?.requestId,
      method: request.method,
      route: context?.route?.path ?? 'unmatched',
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
    reply.code(status).headers(headers).type('application/problem+json').send(JSON.stringify(body));
  }
}
