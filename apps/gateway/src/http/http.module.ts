import { CONFIG } from '@annals/runtime';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { AuthModule } from '../auth/auth.module.js';
import type { GatewayConfig } from '../config.js';
import { EventsModule } from '../events/events.module.js';
import { RedactionModule } from '../redaction/redaction.module.js';
import { ConnectionDrain } from './connection-drain.js';
import { InputAdmissionModule } from './input-admission.module.js';
import { registerJsonParser } from './json-body.js';
import { ProblemFilter } from './problem-filter.js';
import { RequestHooks } from './request-hooks.js';

/** What happens around every request of the process: hooks, body parser, error responses and graceful shutdown. */
@Module({
  imports: [AuthModule, EventsModule, InputAdmissionModule, RedactionModule],
  providers: [{ provide: APP_FILTER, useClass: ProblemFilter }, RequestHooks, ConnectionDrain],
})
export class HttpModule implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(RequestHooks) private readonly hooks: RequestHooks,
    @Inject(CONFIG) private readonly config: GatewayConfig,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    // Fastify collects a route's hooks when it becomes ready, so they also apply to routes that were bound before.
    fastify.addHook('onRequest', this.hooks.onRequest);
    fastify.addHook('preValidation', this.hooks.preValidation);
    fastify.addHook('preHandler', this.hooks.preHandler);
    fastify.addHook('onResponse', this.hooks.onResponse);
    registerJsonParser(fastify, this.config);
  }
}
