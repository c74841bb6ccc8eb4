import { ProblemError, type RouteDefinition, type RouteInput } from '@annals/contracts';
import type { FastifyRequest } from 'fastify';
import { parsePart } from './parse-part.js';

/** Parses parameters, query and body of a request by the schemas of its route. Throws `validation_failed`. */
export function parseInput<Route extends RouteDefinition>(route: Route, request: FastifyRequest): RouteInput<Route> {
  return {
    params: route.params && parsePart('params', route.params, request.params),
    query: route.query ? parsePart('query', route.query, request.query) : refuseQuery(request.query),
    body: route.body ? parsePart('body', route.body, request.body) : refuseBody(request.body),
  } as RouteInput<Route>;
}

function refuseQuery(query: unknown): undefined {
  const [name] = Object.keys(query ?? {});
  if (name !== undefined) {
    throw new ProblemError('validation_failed', 'Remove the query string: this route takes none.', {
      errors: [{ path: 'query', message: 'This route takes no query.' }],
    });
  }
  return undefined;
}

function refuseBody(body: unknown): undefined {
  if (body === undefined || body === null || isEmptyObject(body)) return undefined;
  throw new ProblemError('validation_failed', 'Remove the body: this route takes none.', {
    errors: [{ path: 'body', message: 'This route takes no body.' }],
  });
}

function isEmptyObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
}
