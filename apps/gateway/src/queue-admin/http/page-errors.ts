import type { Logger } from '@annals/observability';
import { LOGGER } from '@annals/runtime';
import { QueueUnavailableError } from '@annals/messaging';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describeProblem } from '../../http/describe-problem.js';
import { findRequestContext } from '../../http/request-context.js';
import { renderProblemPage } from '../pages/login-page.js';
import { PageError } from './page-error.js';
import { sendPage } from './send-page.js';
import { findSession, isDataPath } from './session-guard.js';

/** Answers errors of the queue UI by a page or, where a script asked, by JSON, and logs outages and bugs. */
@Injectable()
export class PageErrors {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  readonly handle = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, title, detail, headers } = describe(error, request);
    if (status >= 500) this.log(error, request, status);
    reply.headers(headers);
    if (isDataPath(request.routeOptions.url ?? '')) return reply.code(status).send({ error: detail });
    return sendPage(reply, renderProblemPage(title, detail, findSession(request) !== undefined), status);
  };

  private log(error: unknown, request: FastifyRequest, status: number): void {
    const { method, routeOptions } = request;
    const requestId = findRequestContext(request)?.requestId;
    const line = { requestId, method, route: routeOptions.url ?? 'unmatched', status, error };
    if (status === 503) this.logger.warn('http_request_error', line);
    else this.logger.error('http_request_error', line);
  }
}

function describe(error: unknown, request: FastifyRequest) {
  if (error instanceof PageError)
    return { status: error.status, title: error.title, detail: error.detail, headers: {} };
  if (error instanceof QueueUnavailableError) {
    return { status: 503, title: 'The queue cannot be reached', detail: error.message, headers: {} };
  }
  const path = request.url.split('?', 1)[0]!;
  const requestId = findRequestContext(request)?.requestId;
  const { status, headers, body } = describeProblem(error, {
    method: request.method,
    path,
    bodyLimitBytes: 4_096,
    requestId,
  });
  return { status, title: body.title, detail: body.detail, headers };
}
