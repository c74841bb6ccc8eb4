/** A value that canonical JSON can encode. Members that are `undefined` are left out. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue | undefined };

/**
 * One encoding for one value: members sorted by UTF-16 unit, no white space, numbers and strings as JSON.stringify
 * writes them (the order and forms of RFC 8785).
 *
 * @throws TypeError for values without a unique JSON form: NaN, infinities, dates, class instances, functions, bigints.
 */
export function encodeCanonicalJson(value: JsonValue): string {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'number') return encodeNumber(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => encodeCanonicalJson(item)).join(',')}]`;
  if (typeof value === 'object' && isPlainObject(value)) return encodeObject(value as { [key: string]: JsonValue });
  throw new TypeError('Canonical JSON encodes plain data only: convert dates to RFC 3339 text and bigints to strings.');
}

function encodeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError('Canonical JSON cannot encode NaN or an infinity.');
  return JSON.stringify(value);
}

function encodeObject(value: { readonly [key: string]: JsonValue | undefined }): string {
  let members = '';
  for (const key of Object.keys(value).toSorted()) {
    const member = value[key];
    if (member !== undefined)
      members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${encodeCanonicalJson(member)}`;
  }
  return `{${members}}`;
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
