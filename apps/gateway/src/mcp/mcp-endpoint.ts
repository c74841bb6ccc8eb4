import type { routes } from '@annals/contracts';
import type { Clock } from '@annals/domain';
import type { Logger } from '@annals/observability';
import { CLOCK, LOGGER, SECRETS, type Secrets } from '@annals/runtime';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { RouteGuard } from '../auth/route-guard.js';
import type { Call } from '../http/call.js';
import type { AnswerMessage, ServerOfKey } from './create-server.js';
import { RestCalls } from './rest-calls.js';
import { listToolsOfKey } from './tools/tools-of-key.js';

type McpCall = Call<typeof routes.callMcp>;

/**
 * Answers messages of the protocol: of revision 2026-07-28, and of the ones before it without a session. Each request
 * has a server of its own, which keeps nothing, so any gateway can answer it.
 */
@Injectable()
export class McpEndpoint implements OnModuleDestroy {
  /** Open requests that wait for notifications. The tools of a key do not change, so none is ever sent. */
  private readonly subscriptions = new Set<AbortController>();
  private readonly secret: KeyObject;
  private answerer: Promise<AnswerMessage> | undefined;

  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(RouteGuard) private readonly guard: RouteGuard,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SECRETS) secrets: Secrets,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.secret = createSecretKey(secrets.idempotency);
  }

  async answer(call: McpCall): Promise<Response> {
    const { request, reply } = call.raw;
    const ended = new AbortController();
    if (isSubscription(call.body)) this.subscriptions.add(ended);
    reply.raw.once('close', () => {
      this.subscriptions.delete(ended);
      ended.abort();
    });
    const forwarded = new Request(`http://annals${request.url}`, {
      method: request.method,
      headers: readHeaders(request),
      signal: ended.signal,
    });
    const answerMessage = await this.loadAnswerer();
    return answerMessage(forwarded, call.body, this.serverOf(call));
  }

  /** Requests for which a tool runs are answered. */
  onModuleDestroy(): void {
    for (const subscription of this.subscriptions) subscription.abort();
  }

  /** The SDK is loaded with the first message: it costs 14 MB, and a tenth of a second of CPU time. */
  private loadAnswerer(): Promise<AnswerMessage> {
    if (!this.answerer) {
      this.answerer = import('./create-server.js').then(({ createAnswerer }) => createAnswerer());
      this.answerer.catch(() => (this.answerer = undefined));
    }
    return this.answerer;
  }

  private serverOf({ caller, requestId, raw }: McpCall): ServerOfKey {
    const { headers, ip: address } = raw.request;
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const rest = new RestCalls(fastify, { authorization: headers.authorization!, address, requestId });
    const { userId } = caller.bindings;
    const { secret } = this;
    return {
      ...listToolsOfKey(caller, this.guard),
      context: userId === null ? null : { userId, rest, now: this.clock.now(), deriveId: idsOf(secret, userId) },
      report: (error) =>
        this.logger.error('http_request_error', { requestId, method: 'POST', route: '/mcp', status: 500, error }),
    };
  }
}

function isSubscription(message: unknown): boolean {
  return (message as { method?: unknown } | null | undefined)?.method === 'subscriptions/listen';
}

/** Ids that do not tell what they were derived from, and differ between users. */
function idsOf(secret: KeyObject, userId: string) {
  return (...parts: readonly string[]) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['mcp', userId, ...parts]))
      .digest('hex')
      .slice(0, 32);
}

/** The key stays out of the SDK: requests to the REST API get it from here. */
function readHeaders(request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && name !== 'authorization') headers.set(name, String(value));
  return headers;
}
