import type { RouteDefinition, RouteInput } from '@annals/contracts';
import type { Redactor } from '@annals/runtime';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.js';
import type { RequestAccess } from '../auth/route-guard.js';
import type { FoundUsers } from '../redaction/known-users.js';

export interface RequestContext {
  requestId: string;
  route: RouteDefinition | null;
  caller: Principal | null;
  /** Of the caller's tenant; null while there is no caller. */
  redactor: Redactor | null;
  /** The user that the key is bound to, as looked up at authentication; undefined until then. */
  boundUser: FoundUsers | undefined;
  /** The parsed request and what its key's bindings leave of it; null until both were checked. */
  admitted: { readonly input: RouteInput<RouteDefinition>; readonly access: RequestAccess } | null;
  /** The body's bytes, stored for idempotency. */
  rawBody: Buffer | null;
  /** Counts a body of so many bytes, or throws the refusal; null when Content-Length told its length before. */
  countBody: ((bytes: number) => Promise<void>) | null;
  startedAt: number;
}

const contexts = Symbol('annals.context');

interface WithContext {
  [contexts]?: RequestContext;
}

export function setRequestContext(request: FastifyRequest, context: RequestContext): void {
  (request as WithContext)[contexts] = context;
}

/** The request's context; undefined when the request failed before any hook ran. */
export function findRequestContext(request: FastifyRequest): RequestContext | undefined {
  return (request as WithContext)[contexts];
}

export function requestContext(request: FastifyRequest): RequestContext {
  const context = findRequestContext(request);
  if (!context) throw new Error('The request hooks are not registered: import GatewayModule.');
  return context;
}
