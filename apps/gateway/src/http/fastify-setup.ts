import { CONFIG } from '@annals/runtime';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { registerJsonParser } from './json-body.js';
import { RequestHooks } from './request-hooks.js';

/** Puts the gateway's hooks and its one body parser on whatever Fastify instance the process made. */
@Injectable()
export class FastifySetup implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(RequestHooks) private readonly hooks: RequestHooks,
    @Inject(CONFIG) private readonly config: GatewayConfig,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    // Fastify collects a route's hooks when it becomes ready, so routes that were bound before have them too.
    fastify.addHook('onRequest', this.hooks.onRequest);
    fastify.addHook('onResponse', this.hooks.onResponse);
    registerJsonParser(fastify, this.config.limits.bodyBytes);
  }
}
