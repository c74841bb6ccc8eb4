import { extractedMemorySchema, extractionResponseSchema, RELATION_TYPES } from '@annals/contracts';
import type { JsonSchema } from '../provider/llm-request.js';
import { DEFAULT_PROMPT_TEMPLATE } from './prompt-template.js';
import { toStrictSchema } from './to-strict-schema.js';

const { schema: RESPONSE_SCHEMA, system: SYSTEM_TEXT } = DEFAULT_PROMPT_TEMPLATE;

const ALLOWED = new Set([
  'type',
  'enum',
  'const',
  'format',
  'items',
  'properties',
  'required',
  'additionalProperties',
  'anyOf',
]);

function listSchemas(schema: JsonSchema): JsonSchema[] {
  const properties = Object.values((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const members = [...properties, ...((schema['anyOf'] ?? []) as JsonSchema[])];
  if (schema['items']) members.push(schema['items'] as JsonSchema);
  return [schema, ...members.flatMap(listSchemas)];
}

const memorySchema = (
  RESPONSE_SCHEMA as { properties: { memories: { items: { properties: Record<string, unknown> } } } }
).properties.memories.items;

describe('the response schema of the extraction prompt', () => {
  it('uses only the strict subset of both APIs', () => {
    for (const schema of listSchemas(RESPONSE_SCHEMA)) {
      expect(Object.keys(schema).filter((keyword) => !ALLOWED.has(keyword))).toEqual([]);
      if (schema['type'] !== 'object') continue;
      expect(schema['additionalProperties']).toBe(false);
      expect(schema['required']).toEqual(Object.keys(schema['properties'] as object));
    }
  });

  it('requests all fields of the contract except the rationale', () => {
    const requested = Object.keys(memorySchema.properties);
    expect([...requested, 'rationale'].toSorted()).toEqual(Object.keys(extractedMemorySchema.shape).toSorted());
  });

  it('allows exactly the relation types of the contract', () => {
    expect(memorySchema.properties['relations']).toMatchObject({
      items: { properties: { relation_type: { type: 'string', enum: [...RELATION_TYPES] } } },
    });
  });

  it('requests only fields that the contract accepts', () => {
    const memory = {
      content: 'Ana is allergic to nuts.',
      category: 'constraints',
      type: 'semantic',
      importance: 5,
      confidence: 0.95,
      evidence: [{ message_id: 'm1', quote: 'allergic to nuts' }],
      valid_from: '2023-05-06T00:00:00Z',
      valid_to: '2023-05-07T00:00:00Z',
      relations: [{ to_index: 0, relation_type: 'related_to', strength: 0.5 }],
      emotionalContext: { emotion: 'fear', intensity: 0.4 },
      significance: { overall: 0.8 },
      relationshipDynamics: { person: 'Ben', bond: 'friend', change: 'closer' },
    };
    const answer = { schemaVersion: 'memory_llm_response_v1', memories: [memory] };
    expect(Object.keys(memory)).toEqual(Object.keys(memorySchema.properties));
    expect(extractionResponseSchema.parse(answer)).toEqual(answer);
  });

  it('matches the example in the system text, which the contract accepts', () => {
    const lines = SYSTEM_TEXT.split('\n');
    const [memory] = JSON.parse(lines.at(-1)!).memories;
    const given = Object.fromEntries(Object.entries(memory).filter(([, value]) => value !== null));
    expect(Object.keys(memory)).toEqual(Object.keys(memorySchema.properties));
    expect(extractedMemorySchema.safeParse(given).success).toBe(true);
    const cited = lines.find((line) => line.startsWith(memory.evidence[0].message_id));
    expect(cited).toContain(memory.evidence[0].quote);
  });
});

describe('toStrictSchema', () => {
  it('makes optional properties nullable and drops ranges, lengths, patterns and defaults', () => {
    const strict = toStrictSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, pattern: '^a' },
        tags: { type: 'array', maxItems: 3, items: { type: 'string', default: 'x' } },
      },
      required: ['name'],
    });
    expect(strict).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string' },
        tags: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
      },
      required: ['name', 'tags'],
      additionalProperties: false,
    });
  });
});
