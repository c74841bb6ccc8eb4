import {
  type Problem,
  problemSchema,
  ROUTE_ACCESS,
  type RouteDefinition,
  type RouteName,
  type RouteOutput,
  routes,
} from '@annals/contracts';
import type { z } from 'zod';

type Input<S> = S extends z.ZodType ? z.input<S> : undefined;
type Routes = typeof routes;
type Part<Route, Name extends string> = Route extends Record<Name, infer S> ? Input<S> : undefined;

/** The input of a route, before the server fills in defaults. */
export interface CallInput<Name extends RouteName> {
  readonly params?: Part<Routes[Name], 'params'>;
  readonly query?: Part<Routes[Name], 'query'>;
  readonly body?: Part<Routes[Name], 'body'>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A success has `body`, any other response `problem`. Both were validated against the contract. */
export type ApiAnswer<Name extends RouteName> = RawAnswer &
  ({ readonly ok: true; readonly body: RouteOutput<Routes[Name]> } | { readonly ok: false; readonly problem: Problem });

/** A response that is not the success or the problem that the caller requires, or that violates the contract. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
  constructor(
    route: string,
    readonly answer: RawAnswer,
  ) {
    super(`${route} answered ${answer.status}: ${answer.text.slice(0, 2_000)}`);
  }
}

const TIMEOUT_MS = 60_000;

/** A client of the REST API that validates every response against the contract. */
export class ApiClient {
  /** A function as `url` may return another address for each request, like a load balancer. */
  constructor(
    private readonly url: string | (() => string),
    readonly key: string | null,
  ) {}

  withKey(key: string | null): ApiClient {
    return new ApiClient(this.url, key);
  }

  /**
   * Calls a route by its name in the contract. Throws only without a response, or for one that violates the contract.
   */
  async call<Name extends RouteName>(name: Name, input: CallInput<Name> = {}): Promise<ApiAnswer<Name>> {
    const route: RouteDefinition = routes[name];
    const answer = await this.send(route.method, fillPath(route.path, input), {
      ...(input.body === undefined ? {} : { body: input.body }),
      ...(input.headers === undefined ? {} : { headers: input.headers }),
    });
    const schema = route.responses[answer.status];
    if (schema === undefined) return { ...answer, ok: false, problem: parseProblem(name, answer) };
    const body = schema === null ? undefined : parseBody(name, schema, JSON.parse(answer.text));
    return { ...answer, ok: true, body: body as RouteOutput<Routes[Name]> };
  }

  /** The body of a response that has to be a success. Throws {@link UnexpectedAnswer}. */
  async must<Name extends RouteName>(name: Name, input: CallInput<Name> = {}): Promise<RouteOutput<Routes[Name]>> {
    const answer = await this.call(name, input);
    if (!answer.ok) throw new UnexpectedAnswer(name, answer);
    return answer.body;
  }

  /** The problem of a response that has to be an error. Throws {@link UnexpectedAnswer}. */
  async mustFail<Name extends RouteName>(name: Name, input: CallInput<Name> = {}): Promise<Problem> {
    const answer = await this.call(name, input);
    if (answer.ok) throw new UnexpectedAnswer(name, answer);
    return answer.problem;
  }

  /** Sends any request. A string or bytes as `body` are sent unchanged, anything else as JSON. */
  async send(
    method: string,
    path: string,
    { body, headers }: { body?: unknown; headers?: Readonly<Record<string, string>> } = {},
  ): Promise<RawAnswer> {
    const response = await fetch(this.address() + path, {
      method,
      headers: {
        ...(this.key === null ? {} : { authorization: `Bearer ${this.key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: encodeBody(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  address(): string {
    return typeof this.url === 'string' ? this.url : this.url();
  }
}

/** The answer, or the receipt that a key gets which may write but not read. */
function parseBody(name: RouteName, schema: z.ZodType, body: unknown): unknown {
  const whole = schema.safeParse(body);
  const { receipt } = ROUTE_ACCESS[name]!;
  return whole.success || !receipt ? schema.parse(body) : receipt.schema.parse(body);
}

function fillPath(pattern: string, { params, query }: { params?: unknown; query?: unknown }): string {
  const values = (params ?? {}) as Record<string, string>;
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(values[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

function parseProblem(name: string, answer: RawAnswer): Problem {
  if (!answer.headers.get('content-type')?.startsWith('application/problem+json'))
    throw new UnexpectedAnswer(name, answer);
  const problem = problemSchema.parse(JSON.parse(answer.text));
  if (problem.status !== answer.status) throw new UnexpectedAnswer(name, answer);
  return problem;
}

function encodeBody(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}
