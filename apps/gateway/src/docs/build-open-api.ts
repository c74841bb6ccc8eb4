import { problemSchema, type RouteDefinition, type RouteName, routes } from '@annals/contracts';
import { buildOperation } from './build-operation.js';
import { ComponentSchemas, type JsonSchema } from './component-schemas.js';

/** An OpenAPI 3.1 document, as far as its readers here need its shape. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: JsonSchema;
}

const DESCRIPTION = `Conversations in, trusted memories out.

Send an API key as \`Authorization: Bearer <key>\`. Errors are problem details (RFC 9457) with a stable \`code\`; \`errors\` names the fields. Lists are paged: pass \`next_cursor\` as \`cursor\`. Times are RFC 3339, ids are UUIDs.

Every write takes an \`Idempotency-Key\` of 1 to 200 printable ASCII characters, kept for 24 hours: the same request sent again has the effect of one and answers the same, with the header \`Idempotency-Replayed: true\`. Such a repeated answer to the making of a key or tenant lacks the text of the key, which is stored nowhere. Only successful answers are kept, so a request that failed can be sent again under its key.

A key that is bound to a user, an agent or categories stands for them: what lies outside does not exist for it or is refused with 403. Requests are limited per key; see the headers \`RateLimit\` and \`Retry-After\`.`;

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Makes it safe to send the request again.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The ETag of the memory as you know it: its revision in quotes. Once somebody else has changed it the request is refused with 412 and changes nothing.',
    schema: { type: 'string' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Your id of the request: echoed in the answer and written to the logs. One is made unless given.',
    schema: { type: 'string', minLength: 8, maxLength: 128 },
  },
};

/** The document of the whole REST surface, made from the table that validates requests. */
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
    tags,
    paths,
    components: {
      schemas: components.list(),
      parameters: PARAMETERS,
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: ann_…' } },
    },
  };
}
