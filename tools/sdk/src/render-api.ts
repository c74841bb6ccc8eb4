import { listMethods, type Operation } from './read-operations.ts';
import { className } from './render-resource.ts';

interface Tree {
  [name: string]: Tree | string;
}

/** File of a group's class, without its ending. */
export function resourceFile(group: readonly string[]): string {
  return group.join('-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The class that has all groups: `annals.admin.keys`. */
export function renderApi(groups: readonly (readonly string[])[]): string {
  const tree: Tree = {};
  for (const group of groups) {
    const parent = group.slice(0, -1).reduce((node, name) => (node[name] ??= {}) as Tree, tree);
    parent[group.at(-1)!] = className(group);
  }
  const imports = groups.map((group) => `import { ${className(group)} } from './resources/${resourceFile(group)}.js';`);
  const fields = Object.entries(tree);
  return [
    "import type { Transport } from '../http/transport.js';",
    ...imports,
    '',
    ...groups.map((group) => `export type * from './resources/${resourceFile(group)}.js';`),
    '',
    '/** All routes, by group. */',
    'export class AnnalsApi {',
    ...fields.map(([name, node]) => `  readonly ${name}: ${renderType(node)};`),
    '',
    '  constructor(transport: Transport) {',
    ...fields.map(([name, node]) => `    this.${name} = ${renderValue(node)};`),
    '  }',
    '}',
  ].join('\n');
}

/** The method of each operation, for specs. */
export function renderMethodsByOperation(operations: readonly Operation[]): string {
  return [
    "import type { AnnalsApi } from './annals-api.js';",
    '',
    '/** The method that calls each operation of the document. */',
    'export interface MethodsByOperation {',
    ...operations.map((operation) => {
      const { group, method } = listMethods(operation)[0]!;
      return `  ${operation.id}: AnnalsApi${[...group, method].map((name) => `['${name}']`).join('')};`;
    }),
    '}',
  ].join('\n');
}

function renderType(node: Tree | string): string {
  if (typeof node === 'string') return node;
  return `{ ${Object.entries(node)
    .map(([name, inner]) => `readonly ${name}: ${renderType(inner)}`)
    .join('; ')} }`;
}

function renderValue(node: Tree | string): string {
  if (typeof node === 'string') return `new ${node}(transport)`;
  return `{ ${Object.entries(node)
    .map(([name, inner]) => `${name}: ${renderValue(inner)}`)
    .join(', ')} }`;
}
