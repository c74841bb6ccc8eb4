import * as contracts from '@annals/contracts';
import { buildOpenApi } from './build-open-api.js';
import { EXAMPLES } from './examples.js';

const document = buildOpenApi('1');

describe('buildOpenApi', () => {
  it('contains no reference to a missing component', () => {
    const text = JSON.stringify(document);
    const components = document.components as Record<string, Record<string, object>>;
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(50);
    for (const [, kind, name] of references) expect(components[kind!]).toHaveProperty(name!);
  });

  it('describes request bodies by their input and responses by their output schema', () => {
    const schemas = document.components.schemas as Record<
      string,
      { required: string[]; additionalProperties?: boolean }
    >;
    expect(schemas.PostConversation).toMatchObject({ required: ['user_id', 'messages'], additionalProperties: false });
    expect(schemas.Batch!.required).toContain('status');
    expect(schemas.Batch).not.toHaveProperty('additionalProperties');
  });

  it('describes scope, authentication, problems and Idempotency-Key of a write', () => {
    const operation = document.paths['/v1/conversations']!.post!;
    expect(operation).toMatchObject({ operationId: 'postConversation', security: [{ apiKey: [] }] });
    expect(operation.description).toContain('ingest');
    expect(operation.parameters).toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' });
    expect(Object.keys(operation.responses as object)).toEqual(
      expect.arrayContaining(['200', '202', '400', '401', '403', '409', '413', '415', '429', '500', '503']),
    );
  });

  it('describes both success responses of a route that has two, with an example of the first one', () => {
    const { 200: repeated, 202: first } = document.paths['/v1/conversations']!.post!.responses as Record<
      string,
      { description: string; content: Record<string, { example?: object }> }
    >;
    expect(repeated!.description).toMatch(/duplicates/);
    expect(repeated!.content['application/json']!.example).toBeUndefined();
    expect(first!.content['application/json']!.example).toBeDefined();
  });

  it('contains no bounds that apply to every number', () => {
    expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect((document.components.schemas as Record<string, object>).Importance).toMatchObject({
      minimum: 1,
      maximum: 5,
    });
  });

  it('gives every parameter a type', () => {
    for (const methods of Object.values(document.paths)) {
      for (const operation of Object.values(methods)) {
        for (const parameter of operation.parameters as { schema?: object; $ref?: string }[]) {
          if (!parameter.$ref) expect(Object.keys(parameter.schema!)).not.toHaveLength(0);
        }
      }
    }
  });

  it('describes what a stream consists of, and which POST changes nothing', () => {
    const { responses } = document.paths['/v1/batches/{id}/events']!.get!;
    expect(responses).toMatchObject({
      200: { content: { 'text/event-stream': { 'x-item-schema': { $ref: '#/components/schemas/Batch' } } } },
    });
    const readOnly = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap((operation) => ('x-read-only' in operation ? [path] : [])),
    );
    expect(readOnly).toEqual([
      '/v1/memory/query',
      '/v1/langgraph/checkpoints/search',
      '/v1/langgraph/threads/{thread_id}/history',
    ]);
  });

  it('takes an Idempotency-Key with every write under /v1', () => {
    const key = { $ref: '#/components/parameters/IdempotencyKey' };
    const without = Object.entries(document.paths).flatMap(([path, { get: _read, ...writes }]) =>
      Object.entries(writes).flatMap(([method, { parameters, ...operation }]) =>
        JSON.stringify(parameters).includes(JSON.stringify(key)) || 'x-read-only' in operation
          ? []
          : [`${method} ${path}`],
      ),
    );
    const checkpoint = 'put /v1/langgraph/threads/{thread_id}/checkpoints/{checkpoint_id}';
    // Checkpoints and the writes of tasks are stored once by their ids. What a chat says is stored once by what was
    // said, and its answer is the upstream's. A key that has ended can repeat nothing.
    expect(without.toSorted()).toEqual(
      [
        'delete /v1/key',
        checkpoint,
        `${checkpoint}/writes/{task_id}`,
        'put /v1/langgraph/checkpoints',
        'post /mcp',
        'post /v1/chat/completions',
      ].toSorted(),
    );
  });

  it('describes the flags of a query string as booleans', () => {
    const parameters = document.paths['/v1/apps/{app_id}']!.delete!.parameters as { name?: string; schema?: object }[];
    expect(parameters.find(({ name }) => name === 'purge_memories')!.schema).toEqual({
      type: 'boolean',
    });
  });

  it.each(Object.entries(EXAMPLES))(
    'contains an example of %s that is valid by its schemas',
    (name, { request, answer }) => {
      const route: contracts.RouteDefinition = contracts.routes[name as contracts.RouteName];
      if (request) expect(route.body!.safeParse(request).success).toBe(true);
      if (answer) expect(Object.values(route.responses)[0]!.safeParse(answer).success).toBe(true);
    },
  );
});
