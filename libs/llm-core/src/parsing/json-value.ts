import type { JsonNode } from './json-tree.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Converts a node to its value, as JSON.parse returns it. `nodes` is filled with the node of each object and array. */
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
