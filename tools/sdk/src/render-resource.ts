import { camelCase, pascalCase } from './name-method.ts';
import { listMethods, type Operation } from './read-operations.ts';

type Method = ReturnType<typeof listMethods>[number];

const OPTIONS = { read: 'RequestOptions', write: 'WriteOptions', conditional: 'ConditionalWriteOptions' };

/** The class of a group: `admin.keys` is `AdminKeysApi`. */
export function className(group: readonly string[]): string {
  return `${group.map(pascalCase).join('')}Api`;
}

/** The module with the class of a group. */
export function renderResource(group: readonly string[], operations: readonly Operation[]): string {
  const methods = operations.flatMap(listMethods);
  const queries = operations.filter(({ query }) => query !== 'none');
  return [
    renderImports(methods),
    ...queries.map((operation) => {
      const { id } = operation;
      return `export type ${queryType(operation)} = NonNullable<operations['${id}']['parameters']['query']>;`;
    }),
    `/** The routes of \`${group.join('.')}\`. */`,
    `export class ${className(group)} extends Resource {\n${methods.map(renderMethod).join('\n\n')}\n}`,
  ]
    .join('\n\n')
    .replace(/(\*\/)\n\n(export class)/, '$1\n$2');
}

function renderImports(methods: readonly Method[]): string {
  const types = methods.flatMap(({ body, answer }) => [
    ...(body?.split(' | ') ?? []),
    ...(answer.kind === 'text' ? [] : answer.types.filter((type) => type !== 'unknown')),
  ]);
  const names = [...new Set([...types, ...(methods.some(({ query }) => query !== 'none') ? ['operations'] : [])])];
  return [
    `import type { ${[...new Set(methods.map(optionsType))].toSorted().join(', ')} } from '../../http/call.js';`,
    ...(methods.some(({ isPages }) => isPages) ? ["import type { Pages } from '../../paging/pages.js';"] : []),
    "import { Resource } from '../../resource.js';",
    ...(methods.some(({ answer }) => answer.kind === 'events')
      ? ["import type { StreamEvent } from '../../streaming/follow-events.js';"]
      : []),
    ...(names.length > 0
      ? [
          `import type {\n${names
            .toSorted()
            .map((name) => `  ${name},\n`)
            .join('')}} from '../types.js';`,
        ]
      : []),
  ].join('\n');
}

function renderMethod(method: Method): string {
  const { summary, description, httpMethod, path } = method;
  const about = method.isPages && method.listField !== 'items' ? [`The ${method.listField}, page by page.`] : [];
  return [
    '  /**',
    ...[...about, summary, '', description, '', `\`${httpMethod} ${path}\``].map((line) => `   * ${line}`.trimEnd()),
    '   */',
    `  ${method.method}(${renderParameters(method)}): ${resultType(method)} {`,
    `    return this.transport.${renderCall(method)};`,
    '  }',
  ].join('\n');
}

/** Methods whose query came after their first release: behind the options, where it changes no call that there is. */
export const WITH_LATER_QUERY: ReadonlySet<string> = new Set(['postConversation']);

function renderParameters(method: Method): string {
  const { pathParameters, body, query, id } = method;
  const options = `options?: ${optionsType(method)}`;
  const filter = query === 'none' ? [] : [`query${query === 'optional' ? '?' : ''}: ${queryType(method)}`];
  return [
    ...pathParameters.map((name) => `${camelCase(name)}: string`),
    ...(body === undefined ? [] : [`body: ${body}`]),
    ...(WITH_LATER_QUERY.has(id) ? [options, ...filter] : [...filter, options]),
  ].join(', ');
}

function renderCall(method: Method): string {
  const { httpMethod, path, pathParameters, body, query, idempotent, readOnly, errorAnswers, answer } = method;
  const params = pathParameters.map((name) => (name === camelCase(name) ? name : `${name}: ${camelCase(name)}`));
  const parts = [
    `method: '${httpMethod}'`,
    `path: '${path}'`,
    ...(params.length > 0 ? [`params: { ${params.join(', ')} }`] : []),
    ...(query === 'none' ? [] : ['query']),
    ...(body === undefined ? [] : ['body']),
    ...(idempotent ? ['idempotent: true'] : []),
    ...(readOnly ? ['readOnly: true'] : []),
    ...(errorAnswers.length > 0 ? [`answers: [${errorAnswers.join(', ')}]`] : []),
    'options',
  ];
  const call = `{ ${parts.join(', ')} }`;
  if (method.isPages) return `pages<${pageTypes(method)}>(${call}, '${method.listField}')`;
  return `${answer.kind}${answer.kind === 'text' ? '' : `<${answer.types.join(' | ')}>`}(${call})`;
}

function resultType(method: Method): string {
  const { answer } = method;
  if (answer.kind === 'text') return 'Promise<string>';
  const type = answer.types.join(' | ');
  if (method.isPages) return `Pages<${pageTypes(method)}>`;
  if (answer.kind === 'json') return `Promise<${type}>`;
  return `AsyncGenerator<${answer.kind === 'events' ? `StreamEvent<${type}>` : type}, void, undefined>`;
}

function pageTypes({ answer, listField }: Method): string {
  return `${answer.kind === 'json' ? answer.types.join(' | ') : ''}, '${listField}'`;
}

function queryType({ id }: Operation): string {
  return `${pascalCase(id)}Query`;
}

function optionsType({ idempotent, conditional }: Operation): string {
  return OPTIONS[conditional ? 'conditional' : idempotent ? 'write' : 'read'];
}
