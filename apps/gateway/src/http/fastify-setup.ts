import { CONFIG } from '@annals/runtime';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { registerJsonParser } from './json-body.js';
import { RequestHooks } from './request-hooks.js';

/** Registers the gateway's hooks and its only body parser with the process's Fastify instance. */
@Injectable()
export class FastifySetup implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(RequestHooks) private readonly hooks: RequestHooks,
    @Inject(CONFIG) private readonly config: GatewayConfig,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    // Fastify collects a route's hooks when it becomes ready, so they also apply to routes that were bound before.
    fastify.addHook('onRequest', this.hooks.onRequest);
    fastify.addHook('onResponse', this.hooks.onResponse);
    registerJsonParser(fastify, this.config.limits.bodyBytes);
  }
}
