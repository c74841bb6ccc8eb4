import type { RouteDefinition, RouteInput, RouteOutput } from '@annals/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.js';

/** What a handler gets: the parsed request and who sends it. */
export interface Call<Route extends RouteDefinition = RouteDefinition> extends RouteInput<Route> {
  readonly route: Route;
  readonly requestId: string;
  /** Who calls. Public routes have no caller and take no `Call`. */
  readonly caller: Principal;
  /** What makes a repetition of this request recognisable (docs/reference/api.md#idempotency-key). */
  readonly idempotency: IdempotencyInput;
  /** The revision that `If-Match` asks for, on routes that take it; null when any will do. */
  readonly expectedRevision: number | null;
  /** For streams alone: everything else is answered by the returned value. */
  readonly raw: { readonly request: FastifyRequest; readonly reply: FastifyReply };
}

/** The raw material of idempotency: key, and the request as it came in. */
export interface IdempotencyInput {
  readonly key: string | null;
  readonly method: string;
  /** Path with query. */
  readonly url: string;
  readonly body: Buffer | null;
}

/** What a handler answers with. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
}

export type AnswerOf<Route extends RouteDefinition> = Answer<RouteOutput<Route>>;

/** The handler has written to `raw.reply` itself. */
export const STREAMED = Symbol('streamed');

/** A 200 with a body. */
export function ok<Body>(body: Body): Answer<Body> {
  return { status: 200, body };
}
