import { ProblemError } from '../../errors/problem-error.js';
import { Deadline } from '../../http/deadline.js';
import type { Settings } from '../../http/options.js';
import { readError } from '../../http/read-error.js';
import type { OpenResponse } from '../../http/transport.js';
import { SYSTEM } from '../../system.js';
import { errorResponse, headersOf, isResponse, type Message } from './message.js';
import { EVENT_STREAM, readMessages, typeOf } from './read-messages.js';

/** A request of the client that has no response yet. */
interface Pending {
  readonly method: string | undefined;
  readonly cancelled: AbortController;
}

/** Codes of JSON-RPC, and the one that servers of MCP use for what is none of these. */
const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

const SUBSCRIPTION = 'subscriptions/listen';
const WHAT = 'POST /mcp';

/** Passes the messages of one client on to `/mcp`, with an API key, and the responses back. */
export class Bridge {
  /** By id, so that the client can cancel them. */
  private readonly pending = new Map<string | number, Pending>();
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
    const { id, method, params } = message;
    // To the server, a request is cancelled by closing its connection.
    if (method === 'notifications/cancelled') return this.pending.get(params?.requestId ?? '')?.cancelled.abort();
    const cancelled = new AbortController();
    if (id !== undefined) this.pending.set(id, { method, cancelled });
    try {
      const failure = await this.forward(line, message, cancelled.signal);
      if (failure !== null && id !== undefined && !cancelled.signal.aborted)
        this.send(errorResponse(id, SERVER_ERROR, failure));
    } finally {
      if (id !== undefined) this.pending.delete(id);
    }
  }

  /** When the client is gone. What it has asked for is still answered; a subscription would never be. */
  end(): void {
    for (const { method, cancelled } of this.pending.values()) if (method === SUBSCRIPTION) cancelled.abort();
  }

  /** Why the message has no response, or null if it has one. */
  private async forward(line: string, message: Message, signal: AbortSignal): Promise<string | null> {
    // As long as the client waits: it has a limit of its own, and cancels.
    const deadline = new Deadline(SYSTEM, Infinity, signal);
    let response: Response;
    try {
      response = await this.post(line, message, deadline.signal);
    } catch {
      return `Annals cannot be reached at ${new URL(this.settings.baseUrl).origin}: check ANNALS_URL.`;
    }
    try {
      return (await this.passBack({ response, deadline, what: WHAT }, message)) ? null : await explain(response);
    } catch {
      return 'The connection to Annals was lost before the answer was complete: send the request again.';
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

  /** Returns whether a response was among the messages: what is lost after it is no failure of the request. */
  private async passBack(opened: OpenResponse, { method }: Message): Promise<boolean> {
    let isAnswered = false;
    try {
      for await (const answer of readMessages(opened)) {
        isAnswered ||= isResponse(answer);
        const version = answer.result?.protocolVersion;
        if (method === 'initialize' && typeof version === 'string') this.agreedVersion = version;
        this.send(answer);
      }
    } catch (error) {
      if (!isAnswered) throw error;
    }
    return isAnswered;
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

/** Why a response has no message that answers the request. */
async function explain(response: Response): Promise<string> {
  const type = typeOf(response);
  if (type === EVENT_STREAM) return 'Annals ended the connection without an answer: send the request again.';
  const error = response.bodyUsed ? null : await readError(response, WHAT, SYSTEM.now());
  if (error instanceof ProblemError) return error.problem.detail;
  return `The response is not one of Annals (${response.status}, ${type || 'no content type'}): check ANNALS_URL.`;
}
