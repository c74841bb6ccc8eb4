/** What a refusal to answer for now tells about when to come back. Only this hint is sent, so that each can be tested alone. */
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

/** Where in an answer something breaks: after so many pieces of text, before any, halfway, or before the closing events. */
export type BreakPosition = 'start' | 'middle' | 'end' | number;

/** Figures that go in place of the counted ones. `inputTokens` includes both cache figures. */
export interface PlannedUsage {
  inputTokens?: number;
  outputTokens?: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  thinkingTokens?: number;
}

/** An answer with status 200, in the agreed shape unless told otherwise. */
export interface AnswerBehaviour {
  kind: 'answer';
  /** In place of what the answer function gives. */
  text?: string;
  /** Time before the headers. */
  delayMs?: number;
  /** Time between two pieces; the body of an answer that is not streamed comes in pieces too. */
  everyMs?: number;
  /** UTF-16 units in one piece; may split a surrogate pair. */
  pieceLength?: number;
  /** Thinking before the answer (Anthropic: thinking block; OpenAI: `reasoning_content`, as vLLM sends it). */
  thinking?: string;
  /** A tool call beside the text. */
  tools?: 'before' | 'inside' | 'after';
  usage?: 'missing' | PlannedUsage;
  /**
   * `truncated`: half the text, cut at the output limit. `refusal` and `content_filter`: as each API says it.
   * `empty`: no content at all.
   */
  stop?: 'truncated' | 'refusal' | 'content_filter' | 'empty';
  /**
   * The answer breaks: `end` closes the body in order, `reset` destroys the connection, `stall` says nothing more,
   * `overloaded`, `rate_limit` and `server` are error events of the API. An answer that is not streamed knows `reset`
   * and `stall`; the others reset it.
   */
  broken?: { at: BreakPosition; how: 'end' | 'reset' | 'stall' | 'overloaded' | 'rate_limit' | 'server' };
}

/** What the server does with one request. All of it is JSON, so that it can be planned from another process. */
export type Behaviour =
  | AnswerBehaviour
  /** An error with the type, code and body each API gives for the status. `body` goes raw in place of it. */
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
  /** 429 that no waiting helps: a spend limit. `code` is the API's own; each has a default. */
  | { kind: 'spend_limit'; code?: string }
  /** Anthropic's spend limit that the customer set for himself is a 400; OpenAI's is a 429 like the others. */
  | { kind: 'own_spend_limit' }
  /** Takes the request and says nothing. */
  | { kind: 'hang' }
  /** Destroys the connection before any answer. */
  | { kind: 'reset' }
  /** Status 200 with a body that is not JSON. */
  | { kind: 'garbage'; body?: string };

/** Generation is everything that costs money for text; the others have queues of their own. */
export const ENDPOINTS = ['generate', 'count_tokens', 'models', 'embeddings'] as const;
export type Endpoint = (typeof ENDPOINTS)[number];
