import type { TokenUsage } from '../provider/llm-response.js';

/** A chat completion to be made: a request in the form of OpenAI’s `POST /v1/chat/completions`. */
export interface ChatRequest {
  /** The bytes of the JSON body, as they are sent to an OpenAI-compatible upstream. */
  readonly body: Buffer;
  /** Of the upstream: ours, or the caller’s own. */
  readonly apiKey: string;
  /** Headers of the client that its upstream gets, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the usage at the end of a stream was asked for by us alone, and the client does not get it. */
  readonly withholdsUsage?: boolean;
  /** Aborting it ends the request and its answer with its reason. */
  readonly signal: AbortSignal;
}

/** What an answer said so far. */
export interface ChatOutcome {
  /** The text of each choice, in the order of `index`; empty where it had none, as with tool calls alone. */
  readonly texts: readonly string[];
  /** Undefined while the upstream has told none. */
  readonly usage: TokenUsage | undefined;
  /** Whether the answer came to its end: false of a stream that broke off, and of an error. */
  readonly isComplete: boolean;
}

/**
 * An answer in OpenAI’s form, whatever the upstream is: a JSON document, or server-sent events of
 * `chat.completion.chunk` that end with `data: [DONE]`.
 */
export interface ChatAnswer {
  readonly status: number;
  /** Those that the client gets, by lower-case name: `content-type`, `retry-after`, limits, the upstream’s request id. */
  readonly headers: Readonly<Record<string, string>>;
  /** Can be read once. Throws when the upstream breaks off. */
  readonly body: AsyncIterable<Uint8Array | string>;
  /** What was said in the part of `body` that was read. */
  outcome(): ChatOutcome;
}

/** A model behind one API. Errors of the upstream are answers; what throws is a connection that failed. */
export interface ChatUpstream {
  complete(request: ChatRequest): Promise<ChatAnswer>;
  /** `GET /v1/models` in OpenAI’s form. */
  listModels(request: Pick<ChatRequest, 'apiKey' | 'signal'>): Promise<ChatAnswer>;
  /** Ends its connections. */
  close(): Promise<void>;
}
