import { ProblemError } from '@annals/contracts';
import type { Logger } from '@annals/observability';
import { LOGGER } from '@annals/runtime';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../auth/principal.js';
import { RefusalAudit } from '../../events/refusal-audit.js';
import { findRequestContext } from '../../http/request-context.js';
import { QUEUE_UI_PATH } from '../../http/route-table.js';
import { renderLoginPage, renderLogoutPage } from '../pages/login-page.js';
import { OperatorSessions, SESSION_MS } from '../session/operator-sessions.js';
import { clearSessionCookie, setSessionCookie } from '../session/session-cookie.js';
import { sendPage } from './send-page.js';
import { LOGIN_PATH, sessionOf } from './session-guard.js';

/** Logging in with an operator's key, and out. */
@Injectable()
export class LoginRoutes {
  constructor(
    @Inject(OperatorSessions) private readonly sessions: OperatorSessions,
    @Inject(RefusalAudit) private readonly refusals: RefusalAudit,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  register(scope: FastifyInstance): void {
    scope.get(LOGIN_PATH, (_request, reply) => sendPage(reply, renderLoginPage(null)));
    scope.post(LOGIN_PATH, (request, reply) => this.logIn(request, reply));
    scope.get(`${QUEUE_UI_PATH}/logout`, (request, reply) =>
      sendPage(reply, renderLogoutPage(this.sessions.formToken(sessionOf(request)))),
    );
    scope.post(`${QUEUE_UI_PATH}/logout`, (request, reply) => {
      this.logger.info('queue_session_closed', { byKeyId: sessionOf(request).keyId, address: request.ip });
      return reply.header('set-cookie', clearSessionCookie(cookieScope(request))).redirect(LOGIN_PATH, 303);
    });
  }

  private async logIn(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { key = '' } = (request.body ?? {}) as Record<string, string>;
    let caller: Principal | null = null;
    let opened: ReturnType<OperatorSessions['begin']>;
    try {
      caller = await this.sessions.identify(key.trim(), request.ip);
      opened = this.sessions.begin(caller);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.status >= 500) throw error;
      const requestId = findRequestContext(request)?.requestId;
      this.refusals.record(error, { caller, address: request.ip, method: 'POST', route: LOGIN_PATH, requestId });
      return sendPage(reply, renderLoginPage(explain(error)), error.status);
    }
    this.logger.info('queue_session_opened', { byKeyId: opened.session.keyId, address: request.ip });
    const cookie = setSessionCookie(opened.cookie, SESSION_MS / 1_000, cookieScope(request));
    return reply.header('set-cookie', cookie).redirect(QUEUE_UI_PATH, 303);
  }
}

function explain({ code, detail }: ProblemError): string {
  if (code === 'unauthenticated') return 'This key is unknown, revoked or expired.';
  if (code === 'forbidden_scope') return 'This is a key of a tenant. Log in with an operator key.';
  return detail;
}

function cookieScope(request: FastifyRequest) {
  return { path: QUEUE_UI_PATH, isSecure: request.protocol === 'https' };
}
