import { problemSchema, type RouteDefinition, type RouteName, routes } from '@annals/contracts';
import { buildOperation } from './build-operation.js';
import { ComponentSchemas, type JsonSchema } from './component-schemas.js';

/** An OpenAPI 3.1 document, typed as far as this folder uses it. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: JsonSchema;
}

const DESCRIPTION = `Memory for AI products: send conversations, and query the memories that are extracted from them.

Send an API key as \`Authorization: Bearer <key>\`. Errors are problem details (RFC 9457) with a stable \`code\`; \`errors\` names the fields. Lists are paged: pass \`next_cursor\` as \`cursor\`. Times are RFC 3339, ids are UUIDs.

Every write accepts an \`Idempotency-Key\` of 1 to 200 printable ASCII characters, which is stored for 24 hours. Sending the same request again under the same key has no further effect and returns the stored response, with the header \`Idempotency-Replayed: true\`. The stored response of creating a key or tenant does not contain the text of the API key, which is never stored. Only successful responses are stored, so a failed request can be sent again under its key.

A key can be bound to a user, an agent or categories. For anything outside of its bindings, the response is 404, 403 or an empty result. A key that may write but not read gets a receipt in place of content. Requests, and the bytes of their bodies, are rate-limited per key; see the headers \`RateLimit\` and \`Retry-After\`.`;

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Makes it safe to retry the request: it takes effect once per key.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The ETag that you last read: the revision in quotes. If the revision has changed since, the request is refused with 412 and changes nothing.',
    schema: { type: 'string' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Your id for the request: returned in the response and written to the logs. Generated if absent.',
    schema: { type: 'string', minLength: 8, maxLength: 128 },
  },
};

/** The OpenAPI document of the whole REST API, built from the route table that validates requests. */
export function buildOpenApi(version: string): OpenApiDocument {
  const components = new ComponentSchemas();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [name, route] of Object.entries<RouteDefinition>(routes)) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = buildOperation(name as RouteName, route, components);
  }
  components.refer(problemSchema, 'output');
  const tags = [...new Set(Object.values<RouteDefinition>(routes).map(({ tag }) => tag))].map((name) => ({ name }));
  return {
    openapi: '3.1.0',
    info: { title: 'Annals', version, description: DESCRIPTION },
    // Relative to this document, so that requests from the page work behind a path prefix.
    servers: [{ url: '.' }],
    tags,
    paths,
    components: {
      schemas: components.list(),
      parameters: PARAMETERS,
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: ann_…' } },
    },
  };
}
