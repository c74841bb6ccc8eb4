const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const isOpening = (byte: number) => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number) => byte === 0x7d || byte === 0x5d;

/**
 * The bytes of one member of a valid JSON object as they were written: parsing would round large numbers. Of duplicate
 * names the last one counts, as with JSON.parse. Null when there is none.
 */
export function findJsonMember(json: Buffer, name: string): Buffer | null {
  let found: Buffer | null = null;
  let at = json.indexOf('{') + 1;
  for (;;) {
    const keyStart = json.indexOf(QUOTE, at);
    // After the last member, only white space and the closing bracket remain.
    if (keyStart < 0) return found;
    const keyEnd = skipString(json, keyStart);
    const start = json.indexOf(COLON, keyEnd) + 1;
    const end = skipValue(json, start);
    if (JSON.parse(json.toString('utf8', keyStart, keyEnd)) === name) found = trimSpace(json.subarray(start, end));
    at = end + 1;
  }
}

/** The end of the value that begins at `from`: the comma or bracket of the object that contains it. */
function skipValue(json: Buffer, from: number): number {
  let depth = 0;
  let at = from;
  while (at < json.length) {
    const byte = json[at]!;
    if (byte === QUOTE) {
      at = skipString(json, at);
      continue;
    }
    if (isOpening(byte)) depth += 1;
    else if (depth === 0 && (byte === COMMA || isClosing(byte))) return at;
    else if (isClosing(byte)) depth -= 1;
    at += 1;
  }
  return at;
}

/** The index after the closing quote of the string that begins at `at`. */
function skipString(json: Buffer, at: number): number {
  for (let end = json.indexOf(QUOTE, at + 1); ; end = json.indexOf(QUOTE, end + 1)) {
    if (end < 0) throw new Error('The text is not valid JSON.');
    let backslashes = 0;
    while (json[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
}

function trimSpace(bytes: Buffer): Buffer {
  let start = 0;
  let end = bytes.length;
  while (start < end && isSpace(bytes[start]!)) start += 1;
  while (end > start && isSpace(bytes[end - 1]!)) end -= 1;
  return bytes.subarray(start, end);
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
