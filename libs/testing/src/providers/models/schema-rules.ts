import { type ModelApi, isRecord } from './fake-request.js';

/** Keywords that Anthropic's structured output does not support; its SDK moves them into descriptions. */
const NOT_FOR_ANTHROPIC = [
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'maxItems',
  'oneOf',
];

/** Why a schema is not in the strict subset of the API; null when it is. */
export function findSchemaFault(schema: unknown, api: ModelApi): string | null {
  if (!isRecord(schema) || schema.type !== 'object') return 'schema must be a JSON Schema of type object.';
  return findNodeFault(schema, api, []);
}

function findNodeFault(node: unknown, api: ModelApi, path: readonly string[]): string | null {
  if (!isRecord(node)) return null;
  const context = `in context=(${path.join(', ')})`;
  if (isRecord(node.properties)) {
    if (node.additionalProperties !== false) return `${context}, 'additionalProperties' must be false.`;
    const required = Array.isArray(node.required) ? node.required : [];
    const missing = Object.keys(node.properties).find((name) => !required.includes(name));
    if (api === 'openai' && missing !== undefined) return `${context}, 'required' must include '${missing}'.`;
  }
  const unknown = api === 'anthropic' ? NOT_FOR_ANTHROPIC.find((keyword) => keyword in node) : undefined;
  if (unknown !== undefined) return `${context}, '${unknown}' is not supported.`;
  for (const { name, child } of listChildren(node)) {
    const fault = findNodeFault(child, api, [...path, name]);
    if (fault !== null) return fault;
  }
  return null;
}

function listChildren(node: Record<string, unknown>): { name: string; child: unknown }[] {
  const named = [node.properties, node.$defs].flatMap((group) => (isRecord(group) ? Object.entries(group) : []));
  const listed = [node.anyOf, node.allOf].flatMap((group) => (Array.isArray(group) ? group : []));
  return [
    ...named.map(([name, child]) => ({ name, child })),
    ...listed.map((child: unknown, context) => ({ name: String(context), child })),
    { name: 'items', child: node.items },
  ];
}
