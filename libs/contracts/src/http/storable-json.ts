import { isStorableText } from '../primitives.js';

/** Deeper values are refused: PostgreSQL reads them with a stack that is limited. */
export const MAX_JSON_DEPTH = 100;

const UNSTORABLE = 'Remove NUL characters and lone surrogates: they cannot be stored as UTF-8.';

/** The first part of a JSON value that `jsonb` cannot hold, and what to change; null when it can hold all of it. */
export function findUnstorableJson(
  value: unknown,
): { readonly path: readonly (string | number)[]; readonly message: string } | null {
  const waiting: Node[] = [{ value, parent: null, name: '', depth: 0 }];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const message = explain(node);
    if (message !== null) return { path: pathTo(node), message };
    if (typeof node.value !== 'object' || node.value === null) continue;
    const inner = Array.isArray(node.value) ? node.value.entries() : Object.entries(node.value);
    for (const [name, part] of inner) waiting.push({ value: part, parent: node, name, depth: node.depth + 1 });
  }
  return null;
}

interface Node {
  readonly value: unknown;
  readonly parent: Node | null;
  readonly name: string | number;
  readonly depth: number;
}

function explain({ value, name, depth }: Node): string | null {
  if (typeof name === 'string' && !isStorableText(name)) return UNSTORABLE;
  if (depth > MAX_JSON_DEPTH) return `Nest objects and arrays at most ${MAX_JSON_DEPTH} levels deep.`;
  if (typeof value === 'string' && !isStorableText(value)) return UNSTORABLE;
  if (typeof value === 'number' && !Number.isFinite(value)) return 'Send a number that a double can represent.';
  return null;
}

function pathTo(node: Node): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Node | null = node; at?.parent; at = at.parent) path.unshift(at.name);
  return path;
}
