import type { RouteDefinition } from '@annals/contracts';
import { runWithRequestId } from '@annals/observability';
import { Req, RequestMapping, RequestMethod, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, type AnswerOf, type Call, STREAMED } from './call.js';
import { parseIdempotencyKey, parseIfMatch } from './headers.js';
import { parseInput } from './parse-input.js';
import { applyIdPolicy, applyIdPolicyToKey } from '../redaction/personal-ids.js';
import { requestContext } from './request-context.js';

type Handler<Route extends RouteDefinition> = (call: Call<Route>) => Promise<AnswerOf<Route> | typeof STREAMED>;

type Bound = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Binds a controller method to a route of the route table: HTTP method, path and schemas. The method gets a `Call` and
 * returns an `Answer`, which the compiler checks against the route. Key and scope were checked by the request hooks.
 */
export function Endpoint<Route extends RouteDefinition>(route: Route) {
  return <Method extends Handler<Route>>(
    target: object,
    name: string,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const handler = descriptor.value!;
    const bound: Bound = function (this: unknown, request, reply) {
      const call = buildCall(route, request, reply);
      return runWithRequestId(call.requestId, async () => sendAnswer(reply, await handler.call(this, call)));
    };
    descriptor.value = bound as unknown as Method;
    RequestMapping({ path: fastifyPath(route.path), method: RequestMethod[route.method] })(target, name, descriptor);
    Req()(target, name, 0);
    Res()(target, name, 1);
  };
}

/** `/v1/batches/{id}` is `/v1/batches/:id` to the router. */
export function fastifyPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function buildCall<Route extends RouteDefinition>(route: Route, request: FastifyRequest, reply: FastifyReply) {
  const { requestId, caller, redactor, rawBody } = requestContext(request);
  if (!caller || !redactor) throw new Error('The route is public: it has no caller and cannot be an Endpoint.');
  const call: Call<Route> = {
    ...applyIdPolicy(route, parseInput(route, request), redactor),
    route,
    requestId,
    caller,
    redactor,
    idempotency: {
      key: route.idempotent
        ? applyIdPolicyToKey(parseIdempotencyKey(request.headers['idempotency-key']), redactor)
        : null,
      method: request.method,
      url: request.url,
      body: rawBody,
    },
    expectedRevision: route.conditional ? parseIfMatch(request.headers['if-match']) : null,
    raw: { request, reply },
  };
  return call;
}

function sendAnswer(reply: FastifyReply, answer: Answer | typeof STREAMED): void {
  if (answer === STREAMED) return;
  if (answer.headers) reply.headers(answer.headers);
  reply.code(answer.status).send(answer.body);
}
