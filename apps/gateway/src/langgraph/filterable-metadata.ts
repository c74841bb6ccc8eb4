/** Deeper parts are left out: whoever reads jsonb follows it by recursion. */
const MAX_DEPTH = 50;

const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** What jsonb can hold of metadata: without NUL characters and lone surrogates, in names and values. */
export function toFilterableMetadata(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return toObject(metadata, 0);
}

function toObject(object: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [toText(name), toValue(value as unknown, depth + 1)]),
  );
}

function toValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return toText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item: unknown) => toValue(item, depth + 1));
  return toObject(value, depth);
}

function toText(text: string): string {
  return text.replaceAll(UNSTORABLE, '');
}
