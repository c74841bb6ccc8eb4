/** What the bridge reads of a message of the protocol; it passes on the whole. */
export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: {
    readonly _meta?: Readonly<Record<string, unknown>>;
    readonly name?: unknown;
    readonly uri?: unknown;
    readonly requestId?: string | number;
  };
  readonly result?: { readonly protocolVersion?: unknown };
  readonly error?: unknown;
}

/** What is to be answered: a notification has no id, and a response of the client no method. */
export type Request = Message & { readonly id: string | number; readonly method: string };

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/**
 * The headers that repeat what a message says (revision 2026-07-28), or the revision that was agreed on at first (the
 * ones before it).
 */
export function headersOf({ method, params }: Message, agreed: string | null): Record<string, string> {
  const version = params?._meta?.[VERSION_KEY];
  if (typeof version !== 'string') return agreed === null ? {} : { 'mcp-protocol-version': agreed };
  const subject = params?.name ?? params?.uri;
  return {
    'mcp-protocol-version': version,
    ...(method === undefined ? {} : { 'mcp-method': method }),
    ...(typeof subject === 'string' ? { 'mcp-name': encodeHeader(subject) } : {}),
  };
}

/** A header carries printable ASCII; the protocol has a form for everything else. */
function encodeHeader(value: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?')) return value;
  return `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

/** Whether it is a message of JSON-RPC, or several, as some clients of 2025-03-26 send them. */
export function isMessage(value: unknown): value is Message {
  return [value].flat().every((one) => (one as { jsonrpc?: unknown } | null)?.jsonrpc === '2.0');
}

/** The requests in a message, which may be several at once. */
export function requestsOf(message: Message): Request[] {
  return ([message].flat() as (Partial<Request> | null)[]).filter(
    (one): one is Request => typeof one?.method === 'string' && (one.id ?? null) !== null,
  );
}

/** Whether the message is the one that answers a request, and not a notification or request of the server before it. */
export function isResponse({ result, error }: Message): boolean {
  return result !== undefined || error !== undefined;
}

export function errorResponse(id: Request['id'] | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
