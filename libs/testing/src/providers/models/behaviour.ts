/** Retry hint of a 429 or 503. Only this hint is sent, so that each can be tested alone. */
export type RetryHint =
  /** `retry-after` in seconds. */
  | { kind: 'seconds'; seconds: number }
  /** `retry-after-ms`. */
  | { kind: 'ms'; ms: number }
  /** `retry-after` as an HTTP date (whole seconds). */
  | { kind: 'date'; inMs: number }
  /** The provider's own rate-limit headers: nothing remains until they reset. */
  | { kind: 'reset'; inMs: number }
  | { kind: 'none' };

/**
 * Where an answer breaks: after a number of pieces of text, before the first, halfway, or before the closing events.
 */
export type BreakPosition = 'start' | 'middle' | 'end' | number;

/** Usage that overrides the counted one. `inputTokens` includes both cache figures. */
interface PlannedUsage {
  inputTokens?: number;
  outputTokens?: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  thinkingTokens?: number;
}

/** An answer with status 200, by default in the format that the request requires. */
export interface AnswerBehaviour {
  kind: 'answer';
  /** Overrides the result of the answer function. */
  text?: string;
  /** Time before the headers. */
  delayMs?: number;
  /** Time between two pieces; the body of an answer that is not streamed comes in pieces too. */
  everyMs?: number;
  /** UTF-16 units in one piece; may split a surrogate pair. */
  pieceLength?: number;
  /** Thinking before the answer (Anthropic: thinking block; OpenAI: `reasoning_content`, as vLLM sends it). */
  thinking?: string;
  /** A tool call in addition to the text. */
  tools?: 'before' | 'inside' | 'after';
  usage?: 'missing' | PlannedUsage;
  /**
   * `truncated`: half the text, cut at the output limit. `refusal` and `content_filter`: in the format of each API.
   * `empty`: no content at all.
   */
  stop?: 'truncated' | 'refusal' | 'content_filter' | 'empty';
  /**
   * The answer breaks: `end` closes the body normally, `reset` destroys the connection, `stall` sends nothing more,
   * `trickle` sends a byte without meaning now and then, without an end, `overloaded`, `rate_limit` and `server` are error
   * events of the API. An answer that is not streamed supports `reset`, `stall` and `trickle`; the others reset the connection.
   */
  broken?: { at: BreakPosition; how: 'end' | 'reset' | 'stall' | 'trickle' | 'overloaded' | 'rate_limit' | 'server' };
}

/** What the server does with one request. Plain JSON, so that it can be planned from another process. */
export type Behaviour =
  | AnswerBehaviour
  /** An error with the type, code and body that each API has for the status. `body` overrides the whole body. */
  | {
      kind: 'error';
      status: number;
      hint?: RetryHint;
      message?: string;
      code?: string;
      /** `x-should-retry`. */
      shouldRetry?: boolean;
      body?: string;
    }
  /** A 429 that no retry resolves: a spend limit. `code` overrides the default code of the API. */
  | { kind: 'spend_limit'; code?: string }
  /** A spend limit that the customer has set: a 400 of Anthropic, a 429 of OpenAI like other spend limits. */
  | { kind: 'own_spend_limit' }
  /** Accepts the request and never responds. */
  | { kind: 'hang' }
  /** Destroys the connection before any response. */
  | { kind: 'reset' }
  /** Status 200 with a body that is not JSON. */
  | { kind: 'garbage'; body?: string };

/** `generate` is every paid generation of text. Each endpoint has a plan of its own. */
const ENDPOINTS = ['generate', 'count_tokens', 'models', 'embeddings'] as const;
export type Endpoint = (typeof ENDPOINTS)[number];
