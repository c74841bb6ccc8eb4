/** A value of a strict JSON text with its position: `start` inclusive, `end` exclusive. */
export type JsonNode = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly elements: readonly JsonNode[] }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'literal'; readonly value: boolean | null }
);
export type StringNode = Extract<JsonNode, { kind: 'string' }>;
export interface JsonMember {
  readonly key: StringNode;
  readonly value: JsonNode;
}

/** Deeper answers are rejected: no memory has so many levels, and a recursive parser could overflow the stack. */
const MAX_DEPTH = 64;

/** Parses a JSON text into a tree; null if the text is not strict JSON or is nested deeper than 64 levels. */
export function parseJsonTree(text: string): JsonNode | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  return new JsonTreeParser(text).read();
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

// Parses text that JSON.parse has accepted, so it needs no error handling.
class JsonTreeParser {
  private at = 0;

  constructor(private readonly text: string) {}

  read(): JsonNode | null {
    return this.readValue(0);
  }

  private readValue(depth: number): JsonNode | null {
    if (depth > MAX_DEPTH) return null;
    this.skipSpace();
    switch (this.text.charAt(this.at)) {
      case '{':
        return this.readObject(depth);
      case '[':
        return this.readArray(depth);
      case '"':
        return this.readString();
      default:
        return this.readScalar();
    }
  }

  private readObject(depth: number): JsonNode | null {
    const start = this.at;
    const members: JsonMember[] = [];
    while (!this.isAtEnd('}')) {
      const key = this.readString();
      this.isAtEnd(':');
      const value = this.readValue(depth + 1);
      if (!value) return null;
      members.push({ key, value });
    }
    return { kind: 'object', start, end: this.at, members };
  }

  private readArray(depth: number): JsonNode | null {
    const start = this.at;
    const elements: JsonNode[] = [];
    while (!this.isAtEnd(']')) {
      const element = this.readValue(depth + 1);
      if (!element) return null;
      elements.push(element);
    }
    return { kind: 'array', start, end: this.at, elements };
  }

  // Skips the opening bracket, comma or colon. Returns true, after skipping it, if the closing bracket is next.
  private isAtEnd(closer: string): boolean {
    this.skipSpace();
    if ('[{,:'.includes(this.text.charAt(this.at))) this.at += 1;
    this.skipSpace();
    if (this.text.charAt(this.at) !== closer) return false;
    this.at += 1;
    return true;
  }

  private readString(): StringNode {
    const start = this.at;
    this.at += 1;
    while (this.text.charAt(this.at) !== '"') this.at += this.text.charAt(this.at) === '\\' ? 2 : 1;
    this.at += 1;
    const value = JSON.parse(this.text.slice(start, this.at)) as string;
    return { kind: 'string', start, end: this.at, value };
  }

  private readScalar(): JsonNode {
    const start = this.at;
    while (this.at < this.text.length && !' \t\r\n,]}'.includes(this.text.charAt(this.at))) this.at += 1;
    const value = JSON.parse(this.text.slice(start, this.at)) as number | boolean | null;
    const position = { start, end: this.at };
    return typeof value === 'number' ? { kind: 'number', ...position, value } : { kind: 'literal', ...position, value };
  }

  private skipSpace(): void {
    while (' \t\r\n'.includes(this.text.charAt(this.at)) && this.at < this.text.length) this.at += 1;
  }
}
