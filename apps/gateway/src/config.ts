import type { Config } from '@annals/config';
import type { CategoryConfig } from '@annals/domain';
import type { EmbeddingProvider, Reranker } from '@annals/llm-core';
import type { ConsoleLinks } from './console/console-links.js';

/** Configuration of the gateway itself; the profile adds the fragments of its infrastructure. */
export const GATEWAY_FRAGMENTS = [
  'http',
  'mcp',
  'personPage',
  'chat',
  'webhooks',
  'limits',
  'batching',
  'redaction',
  'writing',
  'categories',
  'checkpoints',
  'retention',
  'insights',
  'embeddings',
  'recall',
  'minds',
  'rerank',
  'pricing',
  'budgets',
  'circuit',
] as const;
export type GatewayConfig = Config<(typeof GATEWAY_FRAGMENTS)[number]>;

/** What a process gives to its gateway. */
export interface GatewayOptions {
  /** Embeds queries and manually written memories. Must be the model that persistence uses. */
  readonly embedder: EmbeddingProvider;
  readonly embeddingTimeouts?: EmbeddingTimeouts;
  /** Reranks the best candidates of a query; null for none. */
  readonly reranker: Reranker | null;
  /** The one-time link to the console that the process prints; absent: it prints none. */
  readonly consoleLinks?: ConsoleLinks;
  /** The categories, and the allowlists of agents. */
  readonly categories: CategorySource;
}

/** Timeouts of an embedding, in ms. */
export interface EmbeddingTimeouts {
  /** After this time the request is answered without a vector (docs/reference/recall.md#degraded-answers). */
  readonly answerMs: number;
  /** Of one call. Shorter than `answerMs`, so that calls to a hanging server fail and open its circuit. */
  readonly callMs: number;
}

/** The current category configuration. It is reloaded when its file changes. */
export interface CategorySource {
  readonly current: CategoryConfig;
}

/** The `GatewayOptions` of this process. Every module of the gateway can inject them. */
export const GATEWAY_OPTIONS = Symbol('GatewayOptions');
