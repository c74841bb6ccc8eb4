import * as contracts from '@annals/contracts';
import { buildOpenApi } from './build-open-api.js';
import { EXAMPLES } from './examples.js';

const document = buildOpenApi('1');

describe('buildOpenApi', () => {
  it('refers to nothing that is missing', () => {
    const text = JSON.stringify(document);
    const components = document.components as Record<string, Record<string, object>>;
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(50);
    for (const [, kind, name] of references) expect(components[kind!]).toHaveProperty(name!);
  });

  it('describes bodies by what is sent and answers by what comes', () => {
    const schemas = document.components.schemas as Record<
      string,
      { required: string[]; additionalProperties?: boolean }
    >;
    expect(schemas.PostConversation).toMatchObject({ required: ['user_id', 'messages'], additionalProperties: false });
    expect(schemas.Batch!.required).toContain('status');
    expect(schemas.Batch).not.toHaveProperty('additionalProperties');
  });

  it('names scope, key, problems and Idempotency-Key of a write', () => {
    const operation = document.paths['/v1/conversations']!.post!;
    expect(operation).toMatchObject({ operationId: 'postConversation', security: [{ apiKey: [] }] });
    expect(operation.description).toContain('ingest');
    expect(operation.parameters).toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' });
    expect(Object.keys(operation.responses as object)).toEqual(
      expect.arrayContaining(['200', '202', '400', '401', '403', '409', '413', '415', '429', '500', '503']),
    );
  });

  it('says what each success means where there are two, with an example of the first time', () => {
    const { 200: again, 202: first } = document.paths['/v1/conversations']!.post!.responses as Record<
      string,
      { description: string; content: Record<string, { example?: object }> }
    >;
    expect(again!.description).toMatch(/here already/);
    expect(again!.content['application/json']!.example).toBeUndefined();
    expect(first!.content['application/json']!.example).toBeDefined();
  });

  it('shows no limits that every number has', () => {
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

  it.each(Object.entries(EXAMPLES))('has an example of %s that its schemas accept', (name, { request, answer }) => {
    const route: contracts.RouteDefinition = contracts.routes[name as contracts.RouteName];
    if (request) expect(route.body!.safeParse(request).success).toBe(true);
    if (answer) expect(Object.values(route.responses)[0]!.safeParse(answer).success).toBe(true);
  });
});
