import {
  type Problem,
  problemSchema,
  type RouteDefinition,
  type RouteName,
  type RouteOutput,
  routes,
} from '@annals/contracts';
import type { z } from 'zod';

type Input<S> = S extends z.ZodType ? z.input<S> : undefined;
type Routes = typeof routes;
type Part<Route, Name extends string> = Route extends Record<Name, infer S> ? Input<S> : undefined;

/** What a route takes, before the server fills in defaults. */
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

/** A success has `body`, anything else `problem`. Both were checked against the contract. */
export type ApiAnswer<Name extends RouteName> = RawAnswer &
  ({ readonly ok: true; readonly body: RouteOutput<Routes[Name]> } | { readonly ok: false; readonly problem: Problem });

/** The server refused or failed a request that had to succeed. */
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

/** A caller of the REST API who holds every answer to the contract. */
export class ApiClient {
  /** `url` may give another address each time, as a load balancer does. */
  constructor(
    private readonly url: string | (() => string),
    readonly key: string | null,
  ) {}

  withKey(key: string | null): ApiClient {
    return new ApiClient(this.url, key);
  }

  /** Calls a route by its name in the contract. Throws only when there is no answer, or one against the contract. */
  async call<Name extends RouteName>(name: Name, input: CallInput<Name> = {}): Promise<ApiAnswer<Name>> {
    const route: RouteDefinition = routes[name];
    const answer = await this.send(route.method, fillPath(route.path, input), {
      ...(input.body === undefined ? {} : { body: input.body }),
      ...(input.headers === undefined ? {} : { headers: input.headers }),
    });
    const schema = route.responses[answer.status];
    if (schema === undefined) return { ...answer, ok: false, problem: parseProblem(name, answer) };
    const body = schema === null ? undefined : schema.parse(JSON.parse(answer.text));
    return { ...answer, ok: true, body: body as RouteOutput<Routes[Name]> };
  }

  /** The body of an answer that has to be a success. Throws {@link UnexpectedAnswer}. */
  async must<Name extends RouteName>(name: Name, input: CallInput<Name> = {}): Promise<RouteOutput<Routes[Name]>> {
    const answer = await this.call(name, input);
    if (!answer.ok) throw new UnexpectedAnswer(name, answer);
    return answer.body;
  }

  /** The problem of an answer that has to be a refusal. */
  async mustFail<Name extends RouteName>(name: Name, input: CallInput<Name> = {}): Promise<Problem> {
    const answer = await this.call(name, input);
    if (answer.ok) throw new UnexpectedAnswer(name, answer);
    return answer.problem;
  }

  /** Any request. A string or bytes as `body` go out as they are, anything else as JSON. */
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
