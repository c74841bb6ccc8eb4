import { CONFIG } from '@annals/runtime';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { AuthModule } from '../auth/auth.module.js';
import type { GatewayConfig } from '../config.js';
import { EventsModule } from '../events/events.module.js';
import { QUEUE_UI_PATH } from '../http/route-table.js';
import { QueueActions } from './actions/queue-actions.js';
import { BoardRoutes } from './http/board-routes.js';
import { registerFormParser } from './http/form-body.js';
import { LoginRoutes } from './http/login-routes.js';
import { pageNotFound } from './http/page-error.js';
import { PageErrors } from './http/page-errors.js';
import { SessionGuard } from './http/session-guard.js';
import { WorkRoutes } from './http/work-routes.js';
import { ICON_PATH, STYLE_PATH } from './pages/layout.js';
import { ICON, STYLE } from './pages/style.js';
import { OperatorSessions } from './session/operator-sessions.js';

/** The queue UI at `/admin/queues`, for operators (docs/queue-ui.md). */
@Module({
  imports: [AuthModule, EventsModule],
  providers: [OperatorSessions, QueueActions, SessionGuard, PageErrors, LoginRoutes, WorkRoutes, BoardRoutes],
})
export class QueueAdminModule implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(SessionGuard) private readonly guard: SessionGuard,
    @Inject(PageErrors) private readonly errors: PageErrors,
    @Inject(LoginRoutes) private readonly login: LoginRoutes,
    @Inject(WorkRoutes) private readonly work: WorkRoutes,
    @Inject(BoardRoutes) private readonly board: BoardRoutes,
  ) {}

  onModuleInit(): void {
    if (!this.config.http.queueUi) return;
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    // Hooks, parser and error handler are those of this scope: the REST API has its own.
    void fastify.register(async (scope) => this.serve(scope));
  }

  private serve(scope: FastifyInstance): void {
    scope.addHook('onRequest', this.guard.onRequest);
    scope.addHook('preHandler', this.guard.preHandler);
    scope.setErrorHandler(this.errors.handle);
    registerFormParser(scope);
    scope.get(STYLE_PATH, (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE));
    scope.get(ICON_PATH, (_request, reply) => reply.type('image/svg+xml').send(ICON));
    this.login.register(scope);
    this.work.register(scope);
    this.board.register(scope);
    // Whatever else is below the path is behind the guard as well.
    for (const rest of ['/api/*', '/*'])
      scope.all(QUEUE_UI_PATH + rest, async () => {
        throw pageNotFound();
      });
  }
}
