import type { RouteDefinition, RouteInput, RouteOutput } from '@annals/contracts';
import type { Redactor } from '@annals/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.js';
import type { RequestAccess } from '../auth/route-guard.js';

/** The argument of a handler: the parsed request and its caller. */
export interface Call<Route extends RouteDefinition = RouteDefinition> extends RouteInput<Route> {
  readonly route: Route;
  readonly requestId: string;
  /** Public routes have no caller, so their handlers take no `Call`. */
  readonly caller: Principal;
  /** Redacts texts for the caller's tenant. The ids of the input have been through it already. */
  readonly redactor: Redactor;
  /** What the bindings of the caller's key leave of the request. */
  readonly access: RequestAccess;
  /** Identifies a repetition of this request (docs/reference/api.md#idempotency-key). */
  readonly idempotency: IdempotencyInput;
  /** The revision in `If-Match`, on routes that accept it; null when any revision matches. */
  readonly expectedRevision: number | null;
  /** Only for streams. All other responses are the returned `Answer`. */
  readonly raw: { readonly request: FastifyRequest; readonly reply: FastifyReply };
}

/** The Idempotency-Key and the request as it was received. */
export interface IdempotencyInput {
  readonly key: string | null;
  readonly method: string;
  /** Path with query string. */
  readonly url: string;
  readonly body: Buffer | null;
}

export interface Answer<Body = unknown> {
  readonly status: number;
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
}

export type AnswerOf<Route extends RouteDefinition> = Answer<RouteOutput<Route>>;

/** Returned by a handler that has written to `raw.reply` itself. */
export const STREAMED = Symbol('streamed');

export function ok<Body>(body: Body): Answer<Body> {
  return { status: 200, body };
}
