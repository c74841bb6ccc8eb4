import { type MethodName, nameMethod } from './name-method.ts';
import { componentNames, type Content, type OpenApi, type OpenApiOperation, PROBLEM_MEDIA } from './open-api.ts';

/** What a route answers with. */
type Answer =
  | { readonly kind: 'json'; readonly types: readonly string[] }
  | { readonly kind: 'events' | 'lines'; readonly types: readonly string[] }
  | { readonly kind: 'text' };

/** A route as the client sees it. */
export interface Operation extends MethodName {
  readonly id: string;
  readonly httpMethod: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters: readonly string[];
  readonly query: 'none' | 'optional' | 'required';
  readonly body: string | undefined;
  readonly answer: Answer;
  /** The property with the items, of an answer that is one page of a list. */
  readonly listField: string | undefined;
  readonly idempotent: boolean;
  readonly conditional: boolean;
  readonly readOnly: boolean;
  /** Statuses above 299 that are answers. */
  readonly errorAnswers: readonly number[];
}

const ITEMS = 'items';
const STREAMS: Readonly<Record<string, 'events' | 'lines'>> = {
  'text/event-stream': 'events',
  'application/x-ndjson': 'lines',
};

/** Every operation of a document. Throws when two would be the same method. */
export function readOperations(document: OpenApi): Operation[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      readOperation(document, path, method.toUpperCase(), operation),
    ),
  );
  const names = new Map<string, string>();
  for (const { group, method, id } of operations.flatMap(listMethods)) {
    const name = [...group, method].join('.');
    const other = names.get(name);
    if (other !== undefined)
      throw new Error(`${other} and ${id} would both be ${name}: name one in NAMES (name-method.ts).`);
    names.set(name, id);
  }
  return operations;
}

/** The methods of an operation: a document that holds a list, as a conversation its messages, has one for each of both. */
export function listMethods(operation: Operation): (Operation & { readonly isPages: boolean })[] {
  const { listField } = operation;
  if (listField === undefined) return [{ ...operation, isPages: false }];
  if (listField === ITEMS) return [{ ...operation, isPages: true }];
  return [
    { ...operation, isPages: false },
    { ...operation, method: listField, isPages: true },
  ];
}

function readOperation(document: OpenApi, path: string, httpMethod: string, operation: OpenApiOperation): Operation {
  const { operationId: id, parameters, summary, description } = operation;
  const own = parameters.filter((parameter) => parameter.$ref === undefined);
  const query = own.filter((parameter) => parameter.in === 'query');
  const shared = new Set(parameters.map(({ $ref }) => $ref?.split('/').at(-1)));
  const answer = readAnswer(operation);
  const listField = findListField(
    document,
    answer,
    query.some(({ name }) => name === 'cursor'),
  );
  const body = operation.requestBody?.content['application/json']?.schema;
  return {
    ...nameMethod({ id, method: httpMethod, path, isList: listField === ITEMS }),
    id,
    httpMethod,
    path,
    summary,
    description,
    pathParameters: own.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
    query: query.length === 0 ? 'none' : query.some(({ required }) => required) ? 'required' : 'optional',
    body: body && componentNames(body).join(' | '),
    answer,
    listField,
    idempotent: shared.has('IdempotencyKey'),
    conditional: shared.has('IfMatch'),
    readOnly: operation['x-read-only'] === true,
    errorAnswers: listAnswers(operation)
      .map(([status]) => Number(status))
      .filter((status) => status > 299),
  };
}

/** Responses that are no problems. */
function listAnswers({ responses }: OpenApiOperation): [status: string, content: Content][] {
  return Object.entries(responses).flatMap(([status, { content }]) =>
    content === undefined || PROBLEM_MEDIA in content ? [] : [[status, content]],
  );
}

function readAnswer(operation: OpenApiOperation): Answer {
  const media = listAnswers(operation).flatMap(([, content]) => Object.entries(content));
  const [[type, { 'x-item-schema': items }] = [operation.operationId, {}]] = media;
  const kind = STREAMS[type];
  if (kind) return { kind, types: items ? componentNames(items) : ['unknown'] };
  const json = media.filter(([name]) => name === 'application/json');
  if (json.length === 0) return { kind: 'text' };
  return { kind: 'json', types: [...new Set(json.flatMap(([, { schema }]) => componentNames(schema)))] };
}

/** `items`, or else the array of a document that is read by `cursor`. */
function findListField({ components }: OpenApi, answer: Answer, hasCursor: boolean): string | undefined {
  if (answer.kind !== 'json' || !hasCursor) return undefined;
  const properties = Object.entries(components.schemas[answer.types[0]!]!.properties ?? {});
  const arrays = properties.filter(([, { type }]) => type === 'array').map(([name]) => name);
  return arrays.find((name) => name === ITEMS) ?? arrays[0];
}
