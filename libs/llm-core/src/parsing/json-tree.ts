import { type Node, parseTree } from 'jsonc-parser';

/** A value of a strict JSON text with its position: `start` inclusive, `end` exclusive. */
export type JsonNode = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly elements: readonly JsonNode[] }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'literal'; readonly value: boolean | null }
);
export type StringNode = Extract<JsonNode, { kind: 'string' }>;
interface JsonMember {
  readonly key: StringNode;
  readonly value: JsonNode;
}

/** Deeper answers are rejected: no memory has so many levels, and recursive functions could overflow the stack. */
const MAX_DEPTH = 64;

/** Parses a JSON text into a tree; null if the text is not strict JSON or is nested deeper than 64 levels. */
export function parseJsonTree(text: string): JsonNode | null {
  try {
    // `parseTree` tolerates errors and overflows the stack at some thousand levels.
    JSON.parse(text);
    return convertNode(parseTree(text)!, 0);
  } catch {
    return null;
  }
}

/** Iterates over the nodes of a tree in text order, keys of objects included. */
export function* walkTree(node: JsonNode): Generator<JsonNode> {
  yield node;
  if (node.kind === 'array') for (const element of node.elements) yield* walkTree(element);
  if (node.kind === 'object') {
    for (const { key, value } of node.members) {
      yield key;
      yield* walkTree(value);
    }
  }
}

function convertNode({ type, offset, length, value, children = [] }: Node, depth: number): JsonNode {
  if (depth > MAX_DEPTH) throw new RangeError('The JSON is nested too deeply.');
  const position = { start: offset, end: offset + length };
  switch (type) {
    case 'object':
      return { kind: 'object', ...position, members: children.map((property) => convertMember(property, depth + 1)) };
    case 'array':
      return { kind: 'array', ...position, elements: children.map((element) => convertNode(element, depth + 1)) };
    case 'string':
      return { kind: 'string', ...position, value: value as string };
    case 'number':
      return { kind: 'number', ...position, value: value as number };
    default:
      return { kind: 'literal', ...position, value: value as boolean | null };
  }
}

function convertMember({ children = [] }: Node, depth: number): JsonMember {
  const [key, value] = children;
  return { key: convertNode(key!, depth) as StringNode, value: convertNode(value!, depth) };
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Converts a node to its value, as JSON.parse returns it. `nodes` is filled with the node of each object and array. */
export function toJsonValue(node: JsonNode, nodes: WeakMap<object, JsonNode>): unknown {
  if (node.kind !== 'object' && node.kind !== 'array') return node.value;
  const value =
    node.kind === 'array'
      ? node.elements.map((element) => toJsonValue(element, nodes))
      : Object.fromEntries(node.members.map(({ key, value: member }) => [key.value, toJsonValue(member, nodes)]));
  nodes.set(value, node);
  return value;
}
