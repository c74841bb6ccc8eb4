import * as contracts from '@annals/contracts';
import { z } from 'zod';

export type JsonSchema = { [keyword: string]: unknown };

const SUFFIX = 'Schema';
const ROOT = '#/components/schemas/';

/** `postConversationSchema` is the component `PostConversation`. */
const names = new Map<z.ZodType, string>();
const registry = z.registry<{ id: string }>();
for (const [name, value] of Object.entries(contracts)) {
  if (!name.endsWith(SUFFIX) || !(value instanceof z.ZodType)) continue;
  const id = name.charAt(0).toUpperCase() + name.slice(1, -SUFFIX.length);
  names.set(value, id);
  registry.add(value, { id });
}

/** Renders zod schemas as JSON Schema 2020-12 and collects the named ones that are used as shared components. */
export class ComponentSchemas {
  private readonly rendered = { input: renderAll('input'), output: renderAll('output') };
  private readonly used = new Map<string, JsonSchema>();

  /** A reference to a named schema. Throws for a schema that `@annals/contracts` does not export. */
  refer(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const name = names.get(schema);
    if (name === undefined)
      throw new Error('Export the schema from @annals/contracts with a name that ends in Schema.');
    this.use(name, io);
    return { $ref: ROOT + name };
  }

  describeProperties(schema: z.ZodObject): { name: string; schema: JsonSchema; required: boolean }[] {
    return Object.entries(schema.shape).map(([name, property]) => {
      const type = property as z.ZodType;
      return { name, schema: this.renderParameter(type), required: !type.safeParse(undefined).success };
    });
  }

  list(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.used].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The output schema of a parameter is the more precise one, unless it is transformed: then it has no type. */
  private renderParameter(type: z.ZodType): JsonSchema {
    const [input, output] = (['input', 'output'] as const).map((io) => renderOne(type, io));
    const chosen = hasType(input!) ? input! : output!;
    this.useReferences(chosen, 'input');
    return chosen;
  }

  private use(name: string, io: 'input' | 'output'): void {
    if (this.used.has(name)) return;
    const schema = this.rendered[io][name]!;
    this.used.set(name, schema);
    this.useReferences(schema, io);
  }

  private useReferences(schema: unknown, io: 'input' | 'output'): void {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === '$ref' && typeof value === 'string') this.use(value.slice(ROOT.length), io);
      else this.useReferences(value, io);
    }
  }
}

function renderAll(io: 'input' | 'output'): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registry, { ...options(io), uri: (id) => ROOT + id });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, withoutHeader(schema as JsonSchema)]),
  );
}

function renderOne(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return withoutHeader(z.toJSONSchema(schema, options(io)) as JsonSchema);
}

function options(io: 'input' | 'output') {
  const override = (context: { jsonSchema: JsonSchema }): void => {
    dropSafeIntegerBounds(context);
    describeFlag(context);
    if (io === 'output') allowAdditionalProperties(context);
  };
  return { io, unrepresentable: 'any', override } as const;
}

/** Zod adds these bounds to every integer. They are no limits of the field, and would hide the ones that are. */
function dropSafeIntegerBounds({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** A flag of a query string is read as text; clients send a boolean. */
function describeFlag({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (!Array.isArray(jsonSchema.enum) || jsonSchema.enum.join() !== 'true,false') return;
  delete jsonSchema.enum;
  jsonSchema.type = 'boolean';
}

/** Responses may gain fields, so generated clients must not refuse unknown ones. */
function allowAdditionalProperties({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

function withoutHeader({ $schema: _schema, $id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function hasType(schema: JsonSchema): boolean {
  return ['type', '$ref', 'enum', 'const', 'anyOf'].some((keyword) => keyword in schema);
}
