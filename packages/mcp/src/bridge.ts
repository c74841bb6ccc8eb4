import { errorResponse, headersOf, type Message } from './message.js';
import { readMessages } from './read-messages.js';

export interface BridgeOptions {
  /** Of Annals, without `/mcp`. */
  readonly url: string;
  readonly key: string;
  /** Sends a message to the client. */
  readonly send: (message: object) => void;
}

/** Codes of JSON-RPC, and the one that servers of MCP use for what is none of these. */
const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

/** Passes the messages of one client on to `/mcp`, with an API key, and the responses back. */
export class Bridge {
  private readonly endpoint: URL;
  /** Requests without a response yet, by id, so that the client can cancel them. */
  private readonly pending = new Map<string | number, AbortController>();
  /** The revision that a client of one before 2026-07-28 has agreed on. */
  private agreedVersion: string | null = null;

  constructor(private readonly options: BridgeOptions) {
    this.endpoint = new URL('mcp', options.url.endsWith('/') ? options.url : `${options.url}/`);
  }

  /** Resolves when the message was answered. Never rejects: what fails is told to the client. */
  async handle(line: string): Promise<void> {
    const message = parse(line);
    if (message === null) return this.options.send(errorResponse(null, PARSE_ERROR, 'The message is no JSON.'));
    const { id, method, params } = message;
    // To the server, a request is cancelled by closing its connection.
    if (method === 'notifications/cancelled') return this.pending.get(params?.requestId ?? '')?.abort();
    const cancelled = new AbortController();
    if (id !== undefined) this.pending.set(id, cancelled);
    try {
      await this.forward(line, message, cancelled.signal);
    } catch {
      if (!cancelled.signal.aborted)
        this.refuse(id, `Annals cannot be reached at ${this.endpoint.origin}: check ANNALS_URL.`);
    } finally {
      if (id !== undefined) this.pending.delete(id);
    }
  }

  private async forward(line: string, message: Message, signal: AbortSignal): Promise<void> {
    const response = await fetch(this.endpoint, {
      method: 'POST',
      headers: {
        ...headersOf(message, this.agreedVersion),
        authorization: `Bearer ${this.options.key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: line,
      signal,
    });
    let isAnswered = false;
    for await (const answer of readMessages(response)) {
      isAnswered = true;
      const version = (answer as Message).result?.protocolVersion;
      if (message.method === 'initialize' && typeof version === 'string') this.agreedVersion = version;
      this.options.send(answer);
    }
    if (!isAnswered && !response.ok) this.refuse(message.id, await explain(response));
  }

  /** A notification has no response. */
  private refuse(id: Message['id'], why: string): void {
    if (id !== undefined) this.options.send(errorResponse(id, SERVER_ERROR, why));
  }
}

function parse(line: string): Message | null {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' ? message : null;
  } catch {
    return null;
  }
}

/** The sentence of a problem document (RFC 9457). */
async function explain(response: Response): Promise<string> {
  const problem = (await response.json().catch(() => ({}))) as { detail?: unknown };
  return typeof problem.detail === 'string'
    ? problem.detail
    : `Annals answered with the HTTP status ${response.status}.`;
}
