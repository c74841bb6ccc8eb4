import type { RouteDefinition, RouteInput } from '@annals/contracts';
import { runWithRequestId } from '@annals/observability';
import type { Redactor } from '@annals/runtime';
import { Req, RequestMapping, RequestMethod, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessOf } from '../auth/route-access.js';
import { hasScope } from '../auth/principal.js';
import { type Answer, type AnswerOf, type Call, STREAMED } from './call.js';
import { parseIdempotencyKey, parseIfMatch } from './headers.js';
import { storesKeyHashed } from '../idempotency/idempotent-writes.js';
import { applyIdPolicyToKey } from '../redaction/personal-ids.js';
import { requestContext } from './request-context.js';

type Handler<Route extends RouteDefinition> = (call: Call<Route>) => Promise<AnswerOf<Route> | typeof STREAMED>;

type Bound = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Binds a controller method to a route of the route table: HTTP method, path and schemas. The method gets a `Call` and
 * returns an `Answer`, which the compiler checks against the route. Key, scope and bindings were checked by the request
 * hooks. Throws for a route that the table of key bindings does not contain.
 */
export function Endpoint<Route extends RouteDefinition>(route: Route) {
  accessOf(route);
  return <Method extends Handler<Route>>(
    target: object,
    name: string,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const handler = descriptor.value!;
    const bound: Bound = function (this: unknown, request, reply) {
      const call = buildCall(route, request, reply);
      return runWithRequestId(call.requestId, async () =>
        sendAnswer(reply, withholdContent(call, await handler.call(this, call))),
      );
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
  const { requestId, caller, redactor, rawBody, admitted } = requestContext(request);
  if (!caller || !redactor || !admitted) {
    throw new Error('The route is public: it has no caller and cannot be an Endpoint.');
  }
  const call: Call<Route> = {
    ...(admitted.input as RouteInput<Route>),
    access: admitted.access,
    route,
    requestId,
    caller,
    redactor,
    idempotency: {
      key: route.idempotent ? readIdempotencyKey(route, request, redactor) : null,
      method: request.method,
      url: request.url,
      body: rawBody,
    },
    expectedRevision: route.conditional ? parseIfMatch(request.headers['if-match']) : null,
    raw: { request, reply },
  };
  return call;
}

function readIdempotencyKey(route: RouteDefinition, request: FastifyRequest, redactor: Redactor): string | null {
  const key = parseIdempotencyKey(request.headers['idempotency-key']);
  return storesKeyHashed(route) ? key : applyIdPolicyToKey(key, redactor);
}

/** Reduces the answer to an acknowledgement for a key that may write here but not read (docs/reference/key-bindings.md). */
function withholdContent(
  { route, caller }: Pick<Call, 'route' | 'caller'>,
  answer: Answer | typeof STREAMED,
): Answer | typeof STREAMED {
  const { acknowledgement } = accessOf(route);
  if (answer === STREAMED || !acknowledgement || acknowledgement.unless.some((scope) => hasScope(caller, scope)))
    return answer;
  return { ...answer, body: acknowledgement.schema.parse(answer.body) };
}

function sendAnswer(reply: FastifyReply, answer: Answer | typeof STREAMED): void {
  if (answer === STREAMED) return;
  if (answer.headers) reply.headers(answer.headers);
  reply.code(answer.status).send(answer.body);
}
