import type { z } from 'zod';
import type { Scope } from '../http/admin.js';
import type { RouteDefinition } from '../http/route-definition.js';

/** What one binding of a caller's key means for a route. */
export type BindingRule<Field extends string = string> = LimitingRule<Field> | RefusingRule | IrrelevantRule;

/** The route is limited to what the key is bound to. */
export interface LimitingRule<Field extends string = string> {
  readonly effect: 'limits';
  /** Fields of the request that must name what the key is bound to; one that is omitted means just that. */
  readonly fields?: readonly Field[];
  /** The only rows that are found, as a noun phrase: others are `not_found`, and lists leave them out. */
  readonly rows?: string;
  /** Only for a binding to an agent: the agent's allowlist limits the categories. */
  readonly allowlist?: true;
  /** Only for a binding to categories or to an agent with an allowlist: the category that the route belongs to. */
  readonly category?: string;
}

/** A key with the binding may not call the route at all. `why` completes "Use a key that is not bound to …: ". */
export interface RefusingRule {
  readonly effect: 'refused';
  readonly why: string;
}

/** The binding changes nothing. `why` is a clause for the documentation. */
export interface IrrelevantRule {
  readonly effect: 'none';
  readonly why: string;
}

/** What a key's bindings and scopes mean for one route (docs/reference/key-bindings.md). */
export interface RouteAccess<Field extends string = string> {
  readonly user: BindingRule<Field>;
  readonly agent: BindingRule<Field>;
  readonly categories: BindingRule<Field>;
  /** What a key gets as the answer that has none of the scopes which may read it whole. */
  readonly receipt?: Receipt;
  /** What one of the scopes gives beyond the others, for the documentation. */
  readonly scopes?: string;
}

export interface Receipt {
  readonly unless: readonly Scope[];
  /** A projection of the answer: parsing the answer by it drops everything else. */
  readonly schema: z.ZodType;
}

type Keys<Schema> = Schema extends z.ZodType ? Extract<keyof z.output<Schema>, string> : never;
type NestedKeys<Schema> = Schema extends z.ZodType
  ? z.output<Schema> extends { filters: infer Filters }
    ? `filters.${Extract<keyof Filters, string>}`
    : never
  : never;

/** The fields of a route's requests, as `query.user_id`. */
export type FieldOf<Route extends RouteDefinition> =
  | `params.${Keys<Route['params']>}`
  | `query.${Keys<Route['query']>}`
  | `body.${Keys<Route['body']> | NestedKeys<Route['body']>}`;

/** One entry for each route; a route without an entry does not compile. */
export type RouteAccessTable<Routes extends Record<string, RouteDefinition>> = {
  readonly [Name in keyof Routes]: RouteAccess<FieldOf<Routes[Name]>>;
};
