import type { ModelPrompt } from '../prompt/extraction-prompt.js';

export type MessageRole = 'system' | 'user' | 'assistant' | 'tool';

/**
 * One message as a provider sees it, already redacted (docs/reference/privacy.md#redaction-before-storage). `createdAt`
 * is when it was said, epoch ms.
 */
export interface ConversationMessage {
  id: string;
  role: MessageRole;
  actorId: string | null;
  content: string;
  createdAt: number;
}

/** The batch: memories come from `messages` alone, `context` are earlier messages that may be read but not cited. */
export interface ConversationExcerpt {
  messages: readonly ConversationMessage[];
  context: readonly ConversationMessage[];
}

/** The one corrective attempt after an answer that could not be read (docs/reference/model-calls.md#retries). */
export interface Correction {
  /** The answer as it came. */
  answer: string;
  /** What is wrong with it, in our words and without quoting it. */
  problem: string;
}

/** What a model is asked to do. Only remote ones do all of it. */
export type ModelTask = 'extract_memories' | 'reconcile_memories' | 'rewrite_memories';

/** Of tasks that are about no conversation. */
export const NO_CONVERSATION: ConversationExcerpt = { messages: [], context: [] };

/**
 * The request to any provider. The answer to `extract_memories` is a `memory_llm_response_v1` document. A remote model is
 * sent `prompt`; the local provider reads `conversation`. `subjectName` is how memories call the user; without it the
 * actor's name or "The user".
 */
export interface LLMRequest<Prompt extends ModelPrompt = ModelPrompt> {
  requestId: string;
  task: ModelTask;
  conversation: ConversationExcerpt;
  prompt: Prompt;
  correction?: Correction;
  subjectName?: string;
  /** Output tokens after which the answer is cut, thinking included. */
  maxOutputTokens: number;
  signal: AbortSignal;
}
