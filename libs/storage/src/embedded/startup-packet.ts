const PROTOCOL_3 = 3;
const CANCEL_REQUEST = 80877102;
const SSL_REQUEST = 80877103;
const GSS_ENCRYPTION_REQUEST = 80877104;

export type StartupPacket =
  | { readonly kind: 'encryption-request' }
  | { readonly kind: 'cancel-request' }
  | { readonly kind: 'unsupported' }
  /** `settings`: names in lower case; the settings that the client requests for its whole session. */
  | { readonly kind: 'startup'; readonly settings: ReadonlyMap<string, string> };

/** Parameters of the start-up message that are no settings. The embedded database is a single one and has no login. */
const NOT_SETTINGS = new Set(['user', 'database', 'options', 'replication']);

export function parseStartupPacket(packet: Buffer): StartupPacket {
  const code = packet.length < 8 ? 0 : packet.readInt32BE(4);
  if (code === SSL_REQUEST || code === GSS_ENCRYPTION_REQUEST) return { kind: 'encryption-request' };
  if (code === CANCEL_REQUEST) return { kind: 'cancel-request' };
  if (code >>> 16 !== PROTOCOL_3) return { kind: 'unsupported' };
  const strings = packet.toString('utf8', 8).split('\0');
  const settings = new Map<string, string>();
  let options = '';
  for (let i = 0; i + 1 < strings.length && strings[i] !== ''; i += 2) {
    const name = strings[i]!.toLowerCase();
    const value = strings[i + 1]!;
    if (name === 'options') options = value;
    else if (name === 'client_encoding' && isUtf8Name(value)) continue;
    else if (!NOT_SETTINGS.has(name) && !name.startsWith('_pq_.')) settings.set(name, value);
  }
  for (const [name, value] of parseOptions(options)) settings.set(name, value);
  return { kind: 'startup', settings };
}

/**
 * Settings in the `options` parameter, in the three notations a server accepts: `-c name=value`, `-cname=value` and
 * `--name=value`. A backslash escapes the next character. As on a server, `-` in a `--` name means `_`.
 */
export function parseOptions(options: string): Map<string, string> {
  const settings = new Map<string, string>();
  const words = splitOptionWords(options);
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    let assignment: string;
    if (word === '-c') assignment = words[++i] ?? '';
    else if (word.startsWith('--')) assignment = word.slice(2);
    else if (word.startsWith('-c')) assignment = word.slice(2);
    else continue;
    const equals = assignment.indexOf('=');
    if (equals < 1) continue;
    const name = assignment.slice(0, equals).toLowerCase();
    settings.set(word.startsWith('--') ? name.replaceAll('-', '_') : name, assignment.slice(equals + 1));
  }
  return settings;
}

function splitOptionWords(options: string): string[] {
  return [...options.matchAll(/(?:\\[\s\S]|[^\s\\])+/g)].map(([word]) => word.replace(/\\([\s\S])/g, '$1'));
}

function isUtf8Name(encoding: string): boolean {
  return ['utf8', 'unicode'].includes(encoding.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
}
