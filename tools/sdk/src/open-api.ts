/** The parts of an OpenAPI document from which a client is made. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly 'x-read-only'?: boolean;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Parameter =
  | { readonly $ref: string }
  | { readonly $ref?: undefined; readonly name: string; readonly in: 'path' | 'query'; readonly required: boolean };

export type Content = Readonly<Record<string, { readonly schema: Schema; readonly 'x-item-schema'?: Schema }>>;

export interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
}

export const PROBLEM_MEDIA = 'application/problem+json';
const ROOT = '#/components/schemas/';

/** The names of the components that a schema consists of. Throws for one that is written in place. */
export function componentNames(schema: Schema): string[] {
  if (schema.$ref?.startsWith(ROOT)) return [schema.$ref.slice(ROOT.length)];
  if (schema.anyOf) return schema.anyOf.flatMap(componentNames);
  throw new Error('Export the schema from @annals/contracts, so that its type has a name.');
}
