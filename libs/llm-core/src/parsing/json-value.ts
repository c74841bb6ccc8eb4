import type { JsonNode } from './json-tree.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a node, as JSON.parse gives it. `nodes` learns which node each object and array came from. */
export function toJsonValue(node: JsonNode, nodes: WeakMap<object, JsonNode>): unknown {
  const value = convertNode(node, nodes);
  if (typeof value === 'object' && value !== null) nodes.set(value, node);
  return value;
}

function convertNode(node: JsonNode, nodes: WeakMap<object, JsonNode>): unknown {
  switch (node.kind) {
    case 'object':
      return Object.fromEntries(node.members.map(({ key, value }) => [key.value, toJsonValue(value, nodes)]));
    case 'array':
      return node.elements.map((element) => toJsonValue(element, nodes));
    default:
      return node.value;
  }
}
