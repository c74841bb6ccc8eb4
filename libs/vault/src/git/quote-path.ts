const ESCAPED: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n' };
const UNESCAPED: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OCTAL_DIGITS = 3;

/** A path as `git fast-import` reads it: always in quotes, so that no name can be taken for another command. */
export function quotePath(path: string): string {
  return `"${path.replaceAll(/["\\\n]/g, (character) => ESCAPED[character]!)}"`;
}

/** The bytes of a path as `git fast-export` writes it, with or without quotes. */
export function unquotePath(quoted: Buffer): Buffer {
  if (quoted[0] !== QUOTE) return quoted;
  const bytes: number[] = [];
  for (let at = 1; at < quoted.length - 1; at += 1) {
    if (quoted[at] !== BACKSLASH) {
      bytes.push(quoted[at]!);
      continue;
    }
    at += 1;
    const escaped = String.fromCharCode(quoted[at]!);
    if (escaped >= '0' && escaped <= '7') {
      bytes.push(Number.parseInt(quoted.toString('latin1', at, at + OCTAL_DIGITS), 8));
      at += OCTAL_DIGITS - 1;
    } else bytes.push(UNESCAPED[escaped] ?? quoted[at]!);
  }
  return Buffer.from(bytes);
}
