import { ProblemError } from '../../errors/problem-error.js';
import { Deadline } from '../../http/deadline.js';
import type { Settings } from '../../http/options.js';
import { readError } from '../../http/read-error.js';
import type { OpenResponse } from '../../http/transport.js';
import { SYSTEM } from '../../system.js';
import { errorResponse, headersOf, isResponse, type Message, type Request, requestsOf } from './message.js';
import { EVENT_STREAM, readMessages, typeOf } from './read-messages.js';

/** What one line of the client asks for. */
interface Exchange {
  readonly requests: readonly Request[];
  /** Ids of the requests that have no response yet. */
  readonly open: Set<Request['id']>;
  readonly connection: AbortController;
}

/** Codes of JSON-RPC, and the one that servers of MCP use for what is none of these. */
const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

const SUBSCRIPTION = 'subscriptions/listen';
const WHAT = 'POST /mcp';

/** Passes the messages of one client on to `/mcp`, with an API key, and the responses back. */
export class Bridge {
  /** So that the client can cancel what it has asked for. */
  private readonly exchanges = new Set<Exchange>();
  /** The revision that a client of one before 2026-07-28 has agreed on. */
  private agreedVersion: string | null = null;

  constructor(
    private readonly settings: Settings,
    /** Sends a message to the client. */
    private readonly send: (message: object) => void,
  ) {}

  /** Resolves when the message was answered. Never rejects: what fails is told to the client. */
  async handle(line: string): Promise<void> {
    const message = parse(line);
    if (message === null) return this.send(errorResponse(null, PARSE_ERROR, 'The message is no JSON.'));
    const { method, params } = message;
    if (method === 'notifications/cancelled') return this.cancel(({ id }) => id === params?.requestId);
    const requests = requestsOf(message);
    const open = new Set(requests.map(({ id }) => id));
    const exchange = { requests, open, connection: new AbortController() };
    this.exchanges.add(exchange);
    const failure = await this.forward(line, message, exchange);
    this.exchanges.delete(exchange);
    for (const id of open) this.send(errorResponse(id, SERVER_ERROR, failure));
  }

  /** When the client is gone. What it has asked for is still answered; a subscription would never be. */
  end(): void {
    this.cancel(({ method }) => method === SUBSCRIPTION);
  }

  /** To the server, requests are cancelled by closing their connection: once nobody waits for any of them. */
  private cancel(isMeant: (request: Request) => boolean): void {
    for (const { requests, open, connection } of this.exchanges) {
      const meant = requests.filter(isMeant);
      for (const { id } of meant) open.delete(id);
      if (meant.length > 0 && open.size === 0) connection.abort();
    }
  }

  /** Returns why the requests that are still open have no response. */
  private async forward(line: string, message: Message, { open, connection }: Exchange): Promise<string> {
    // As long as the client waits: it has a limit of its own, and cancels.
    const deadline = new Deadline(SYSTEM, Infinity, connection.signal);
    try {
      const response = await this.post(line, message, deadline.signal);
      try {
        await this.passBack({ response, deadline, what: WHAT }, message, open);
        return await explain(response);
      } catch (error) {
        const { message: why } = deadline.explain(error, WHAT);
        return `The connection to Annals was lost before the answer was complete (${why}): send the request again.`;
      }
    } catch (error) {
      const { origin } = new URL(this.settings.baseUrl);
      const { message: why } = deadline.explain(error, WHAT);
      return `Annals cannot be reached at ${origin} (${why}): check ANNALS_URL, and what stands between.`;
    } finally {
      deadline.end();
    }
  }

  private post(line: string, message: Message, signal: AbortSignal): Promise<Response> {
    const { baseUrl, apiKey, fetch } = this.settings;
    return fetch(`${baseUrl}/mcp`, {
      method: 'POST',
      headers: {
        ...headersOf(message, this.agreedVersion),
        authorization: `Bearer ${apiKey}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: line,
      signal,
    });
  }

  /** Closes the requests that were answered: what is lost after that is no failure of theirs. */
  private async passBack(opened: OpenResponse, { method }: Message, open: Exchange['open']): Promise<void> {
    try {
      for await (const answer of readMessages(opened)) {
        const version = answer.result?.protocolVersion;
        if (method === 'initialize' && typeof version === 'string') this.agreedVersion = version;
        const addressed = address(answer, open);
        for (const { id } of addressed.flat().filter(isResponse)) open.delete(id!);
        for (const one of addressed) this.send(one);
      }
    } catch (error) {
      if (open.size > 0) throw error;
    }
  }
}

/** An error without an id, such as of a request that was refused unread, would end none: it is each open request's. */
function address(answer: Message, open: Exchange['open']): Message[] {
  const namesNone = answer.error !== undefined && (answer.id ?? null) === null;
  return namesNone && open.size > 0 ? [...open].map((id) => ({ ...answer, id })) : [answer];
}

function parse(line: string): Message | null {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' ? message : null;
  } catch {
    return null;
  }
}

/** Why a response has no message that answers the request. */
async function explain(response: Response): Promise<string> {
  const type = typeOf(response);
  if (type === EVENT_STREAM) return 'Annals ended the connection without an answer: send the request again.';
  const error = response.bodyUsed ? null : await readError(response, WHAT, SYSTEM.now());
  if (error instanceof ProblemError) return error.problem.detail;
  return `The response is not one of Annals (${response.status}, ${type || 'no content type'}): check ANNALS_URL.`;
}
