import type { Problem, RouteDefinition, RouteOutput } from '@annals/contracts';
import { withSpan } from '@annals/observability';
import type { FastifyInstance } from 'fastify';

/** Of the request to `/mcp`, for the requests that its tools send in its name. */
export interface OuterRequest {
  readonly authorization: string;
  readonly address: string;
  readonly requestId: string;
}

export interface RestInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
}

/** The problem with which the REST API refused a call. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall';
  constructor(readonly problem: Problem & Readonly<Record<string, unknown>>) {
    super(problem.detail);
  }
}

/**
 * Calls routes of the REST API inside of this process, with the caller's key: what a key may do, what is redacted,
 * limited and recorded is decided there and nowhere else.
 */
export class RestCalls {
  constructor(
    private readonly fastify: Pick<FastifyInstance, 'inject'>,
    private readonly outer: OuterRequest,
  ) {}

  /** Throws {@link RefusedCall} for any response that is no success. */
  async send<Route extends RouteDefinition>(route: Route, input: RestInput): Promise<RouteOutput<Route>> {
    const { authorization, address, requestId } = this.outer;
    const { method, path } = route;
    const response = await withSpan('mcp.call', { 'http.request.method': method, 'http.route': path }, () =>
      this.fastify.inject({
        method,
        url: fillPath(path, input),
        headers: { authorization, 'x-request-id': requestId },
        remoteAddress: address,
        ...(input.body === undefined ? {} : { payload: input.body }),
      }),
    );
    if (response.statusCode >= 400) throw new RefusedCall(response.json());
    return response.json<RouteOutput<Route>>();
  }
}

function fillPath(pattern: string, { params = {}, query = {} }: RestInput): string {
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name]!));
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}
