import type { KnownUser } from '@annals/domain';

export type MessageRole = 'system' | 'user' | 'assistant' | 'tool';

/**
 * One message as it is passed to a provider, already redacted (docs/reference/privacy.md#redaction-before-storage).
 * `createdAt` is the time of the message, epoch ms.
 */
export interface ConversationMessage {
  id: string;
  role: MessageRole;
  actorId: string | null;
  content: string;
  createdAt: number;
}

/** Memories are extracted from `messages` alone; `context` may be read but not cited. */
export interface ConversationExcerpt {
  messages: readonly ConversationMessage[];
  context: readonly ConversationMessage[];
}

/** The correction after an answer that could not be parsed (docs/reference/model-calls.md#retries). */
export interface Correction {
  /** The answer as received. */
  answer: string;
  /** The problem with the answer, without quoting it. */
  problem: string;
}

/** A JSON Schema document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A prompt for a remote model, independent of the API of its provider. */
export interface ModelPrompt {
  /** Changes with every change of wording; stored with the results of the prompt. */
  readonly version: string;
  /** The same bytes in every prompt of a kind, so that providers' prompt caches can hit. */
  readonly system: string;
  readonly user: string;
  readonly schemaName: string;
  /** In the strict subset that both APIs accept: every property required, no ranges, `additionalProperties: false`. */
  readonly schema: JsonSchema;
}

/** The task of a model call. Only remote providers support all of them. */
export type ModelTask =
  | 'extract_memories'
  | 'reconcile_memories'
  | 'rewrite_memories'
  | 'write_procedures'
  | 'infer_insights'
  | 'consolidate_memories'
  | 'summarize_conversation'
  | 'remember_app_conversation'
  | 'compact_app_memories';

/** The excerpt of tasks that do not use a conversation. */
export const NO_CONVERSATION: ConversationExcerpt = { messages: [], context: [] };

/**
 * A request to any provider. The answer to `extract_memories` is a `memory_llm_response_v1` document. Remote models are
 * sent `prompt`; the local provider reads `conversation`, of which `user` says who is the user (default: whoever speaks
 * without an actor).
 */
export interface LLMRequest<Prompt extends ModelPrompt = ModelPrompt> {
  requestId: string;
  task: ModelTask;
  conversation: ConversationExcerpt;
  prompt: Prompt;
  correction?: Correction;
  user?: KnownUser;
  /** Output tokens after which the answer is truncated, thinking included. */
  maxOutputTokens: number;
  /** Sent only to models that take it (docs/reference/model-calls.md#temperature); undefined: the model's default. */
  temperature?: number;
  signal: AbortSignal;
}
