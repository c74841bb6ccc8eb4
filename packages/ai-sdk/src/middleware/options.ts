import type { MemoryQuery } from '@annals/sdk';

/** How much is recalled; names and defaults are those of `POST /v1/memory/query`. */
export interface RecallOptions extends Partial<Pick<MemoryQuery, 'top_k' | 'budget_tokens' | 'threshold'>> {
  /** From 0 to 1: how much recent memories are preferred. Sent only if given, since older servers do not know it. */
  readonly recency_weight?: number;
}

export interface MemoryOptions extends RecallOptions {
  /** Whose memory. */
  readonly user: string;
  /** The conversation. Make a middleware for each conversation, and keep it as long as you can. */
  readonly thread: string;
  /** The agent in whose name is read and written: its allowlist of categories applies. */
  readonly agent?: string;
  /** What is known about the user at the start of the conversation, once and unchanged. Default: false. */
  readonly profile?: boolean;
  /** Whether what is said is stored. Default: true. */
  readonly remember?: boolean;
  /** How long a model call may wait for the memory. Default: 800 ms. */
  readonly timeoutMs?: number;
  /** Keeps a serverless function alive until what was said is stored, such as `waitUntil` of its platform. */
  readonly waitUntil?: (stored: Promise<void>) => void;
  /** Told of each failure of the memory. None of them reaches the model call. */
  readonly onError?: (error: unknown) => void;
}

export const DEFAULT_TIMEOUT_MS = 800;
