export type MessageRole = 'system' | 'user' | 'assistant' | 'tool';

/** One message as a provider sees it, already redacted (decision 20). `createdAt` is when it was said, epoch ms. */
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

/**
 * What any provider is asked. The answer to `extract_memories` is a `memory_llm_response_v1` document.
 * `subjectName` is how memories call the user; without it the actor's name or "The user".
 */
export interface LLMRequest {
  requestId: string;
  task: 'extract_memories';
  conversation: ConversationExcerpt;
  subjectName?: string;
  maxOutputTokens?: number;
  signal: AbortSignal;
}
