import type { Logger } from '@annals/observability';
import { LOGGER } from '@annals/runtime';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findRequestContext } from '../../http/request-context.js';
import { QUEUE_UI_PATH } from '../../http/route-table.js';
import { ICON_PATH, STYLE_PATH } from '../pages/layout.js';
import { OperatorSessions } from '../session/operator-sessions.js';
import { readSessionCookie } from '../session/session-cookie.js';
import type { OperatorSession } from '../session/session-token.js';
import { PageError } from './page-error.js';
import { isSameOrigin } from './same-origin.js';

export const LOGIN_PATH = `${QUEUE_UI_PATH}/login`;
const WITHOUT_SESSION: ReadonlySet<string> = new Set([LOGIN_PATH, STYLE_PATH, ICON_PATH]);
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

const operator = Symbol('annals.operator-session');

interface WithSession {
  [operator]?: OperatorSession;
}

/** The session of a request that the guard let through. */
export function sessionOf(request: FastifyRequest): OperatorSession {
  const session = findSession(request);
  if (!session) throw new Error('This path is served without a session.');
  return session;
}

export function findSession(request: FastifyRequest): OperatorSession | undefined {
  return (request as WithSession)[operator];
}

/** Whether a script asks for it, which understands JSON only. */
export function isDataPath(path: string): boolean {
  return path.startsWith(`${QUEUE_UI_PATH}/api/`);
}

/**
 * In front of every path of the queue UI: nothing but the login page is served without a session, and nothing is changed
 * by a page of another site (docs/queue-ui.md#security).
 */
@Injectable()
export class SessionGuard {
  constructor(
    @Inject(OperatorSessions) private readonly sessions: OperatorSessions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Before the body is read. */
  readonly onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    // With `no-referrer` a browser sends `Origin: null` with the forms of these pages.
    reply.header('referrer-policy', 'same-origin').header('cross-origin-opener-policy', 'same-origin');
    const session = await this.sessions.find(readSessionCookie(request.headers.cookie));
    if (session) (request as WithSession)[operator] = session;
    const path = request.routeOptions.url ?? '';
    if (!READING.has(request.method) && !isSameOrigin(request.headers, request.host)) {
      throw this.refuse(request, 'cross_site', 'This request comes from a page of another site.');
    }
    if (session || WITHOUT_SESSION.has(path)) return undefined;
    // A page leads to the login; what a script asks for gets an error that it can show.
    if (READING.has(request.method) && !isDataPath(path)) return reply.redirect(LOGIN_PATH, 303);
    return reply.code(401).send({ error: 'Log in again: the session has ended.' });
  };

  /** After the body was read: every form contains the token of its session. */
  readonly preHandler = async (request: FastifyRequest): Promise<void> => {
    const session = findSession(request);
    if (!session || READING.has(request.method) || request.routeOptions.url === LOGIN_PATH) return;
    const token = (request.body as Record<string, string> | undefined)?.['token'] ?? '';
    if (this.sessions.isFormToken(session, token)) return;
    throw this.refuse(
      request,
      'token',
      'This form is not of your session. Go back, load the page again and repeat it.',
    );
  };

  private refuse(request: FastifyRequest, reason: 'cross_site' | 'token', detail: string): PageError {
    const session = findSession(request);
    this.logger.warn('queue_request_refused', {
      reason,
      address: request.ip,
      route: request.routeOptions.url ?? 'unmatched',
      requestId: findRequestContext(request)?.requestId,
      ...(session ? { byKeyId: session.keyId } : {}),
    });
    return new PageError(403, 'Refused', detail);
  }
}
