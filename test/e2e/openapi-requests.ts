type Schema = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Schema;
}

interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema; readonly example?: object }> };
}

/** The parts of an OpenAPI document from which requests are generated. */
export interface OpenApi {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

/** Existing objects of one tenant, which the requests address. */
export interface Targets {
  readonly ids: readonly string[];
  readonly user_id: string;
  readonly thread_id: string;
  readonly app_id: string;
  readonly checkpoint_id: string;
  readonly task_id: string;
}

export interface GeneratedRequest {
  /** `GET /v1/memories/{id}` */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/**
 * Requests for every operation of a document: each path with each id, without a query and with the targets' names in
 * the query, with the body of the example and one generated from the schema.
 */
export function makeRequests(document: OpenApi, targets: Targets): GeneratedRequest[] {
  return Object.entries(document.paths).flatMap(([pattern, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const paths = fillPath(pattern, targets).flatMap((path) => addQueries(path, operation, targets));
      const bodies = makeBodies(document, operation, targets);
      return paths.flatMap((path) =>
        bodies.map((body) => ({
          operation: `${method.toUpperCase()} ${pattern}`,
          method: method.toUpperCase(),
          path,
          ...(body === undefined ? {} : { body }),
        })),
      );
    }),
  );
}

/** Paths with the targets' names, and with each id in turn for any other parameter. */
function fillPath(pattern: string, targets: Targets): string[] {
  const named = pattern.replaceAll(/\{(\w+)\}/g, (parameter, name: string) => findTarget(name, targets) ?? parameter);
  return named.includes('{') ? targets.ids.map((id) => named.replaceAll(/\{\w+\}/g, id)) : [named];
}

function addQueries(path: string, { parameters = [] }: Operation, targets: Targets): string[] {
  const search = new URLSearchParams();
  for (const parameter of parameters) {
    if (!('in' in parameter) || parameter.in !== 'query') continue;
    const value = findTarget(parameter.name, targets);
    if (value !== undefined) search.set(parameter.name, value);
  }
  return search.size === 0 ? [path] : [path, `${path}?${search.toString()}`];
}

function makeBodies(document: OpenApi, { requestBody }: Operation, targets: Targets): unknown[] {
  const content = requestBody?.content['application/json'];
  if (content === undefined) return [undefined];
  const made = makeValue(document, content.schema, '', targets);
  return content.example === undefined ? [made] : [made, substituteTargets(content.example, targets)];
}

/** The example with its names replaced by those of the targets. */
function substituteTargets(value: unknown, targets: Targets): unknown {
  if (Array.isArray(value)) return value.map((item) => substituteTargets(item, targets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      findTarget(name, targets) ?? substituteTargets(inner, targets),
    ]),
  );
}

/** A minimal value for the schema: required properties, and those that name a target. */
function makeValue(document: OpenApi, schema: Schema, name: string, targets: Targets): unknown {
  const target = findTarget(name, targets);
  if (target !== undefined) return target;
  const {
    $ref,
    enum: options,
    const: only,
    oneOf,
    anyOf = oneOf,
    type,
  } = schema as {
    $ref?: string;
    enum?: unknown[];
    const?: unknown;
    oneOf?: Schema[];
    anyOf?: Schema[];
    type?: string;
  };
  if ($ref !== undefined)
    return makeValue(document, document.components.schemas[$ref.split('/').at(-1)!]!, name, targets);
  if (only !== undefined) return only;
  if (options !== undefined) return options[0];
  if (anyOf !== undefined) return makeValue(document, anyOf[0]!, name, targets);
  switch (type) {
    case 'object':
      return makeObject(document, schema, targets);
    case 'array':
      return [makeValue(document, schema.items as Schema, '', targets)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return name === 'category' || name === 'name' ? 'profile' : 'anything';
  }
}

function makeObject(document: OpenApi, schema: Schema, targets: Targets): object {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] };
  const included = Object.entries(properties).filter(
    ([name]) => required.includes(name) || findTarget(name, targets) !== undefined,
  );
  return Object.fromEntries(included.map(([name, inner]) => [name, makeValue(document, inner, name, targets)]));
}

function findTarget(name: string, targets: Targets): string | undefined {
  const target = Object.hasOwn(targets, name) ? targets[name as keyof Targets] : undefined;
  return typeof target === 'string' ? target : undefined;
}
