import type { z } from 'zod';
import type { Scope } from './admin.js';
import type { ProblemCode } from './problem.js';

type Schema = z.ZodType;

/**
 * One route, declared once: the gateway validates by it, authorises by it and renders OpenAPI from it; clients take
 * their types from it. `path` uses `{name}` for parameters.
 */
export interface RouteDefinition {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: `/${string}`;
  readonly summary: string;
  readonly tag: string;
  /** Any one of these scopes is sufficient; `public` needs no key. */
  readonly scopes: readonly Scope[] | 'public';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: Schema;
  /** Accepts `Idempotency-Key` (every write under `/v1` does, docs/reference/api.md#idempotency-key). */
  readonly idempotent?: boolean;
  /** Accepts `If-Match`: the revision that the memory must still have (RFC 9110 §13.1.1). */
  readonly conditional?: boolean;
  /** Success responses by status. `null`: no JSON body (its media type is `media`). */
  readonly responses: Readonly<Record<number, Schema | null>>;
  /** The meaning of a success status, where its name does not show it. */
  readonly responseDescriptions?: Readonly<Record<number, string>>;
  readonly media?: string;
  /** What a stream consists of: the data of one of its events, or one of its lines. */
  readonly items?: Schema;
  /** Changes nothing although it is no GET, so that clients may send it again without an `Idempotency-Key`. */
  readonly readOnly?: boolean;
  /** The form of its errors; problem details (RFC 9457) by default. */
  readonly errorForm?: 'openai';
  /** Problems beyond those every route can have (validation, key, rate, unavailability). */
  readonly problems?: readonly ProblemCode[];
}

/** Preserves a route's literal types. */
export function defineRoute<const Route extends RouteDefinition>(route: Route): Route {
  return route;
}

type Output<S> = S extends Schema ? z.output<S> : undefined;

/** What a handler of the route receives, parsed. */
export interface RouteInput<Route extends RouteDefinition> {
  params: Output<Route['params']>;
  query: Output<Route['query']>;
  body: Output<Route['body']>;
}

type JsonOf<R> = R extends Schema ? z.output<R> : void;

export type RouteOutput<Route extends RouteDefinition> = JsonOf<Route['responses'][keyof Route['responses']]>;
