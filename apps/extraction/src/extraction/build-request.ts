import type { ConversationMessage, ExtractionPrompt } from '@annals/llm-core';
import type { StoredTurn } from '@annals/storage';

/** What a batch brings to a model, before any decision about it. */
export interface BatchTurns {
  readonly messages: readonly StoredTurn[];
  /** Messages of the conversation from before the batch. */
  readonly context: readonly StoredTurn[];
}

/**
 * Memories come from what users said; what assistants said is context for it; nothing else is shown
 * (docs/reference/extraction.md#only-user-messages-are-extracted).
 */
export interface Excerpt {
  readonly messages: ConversationMessage[];
  readonly context: ConversationMessage[];
}

export function selectExcerpt({ messages, context }: BatchTurns): Excerpt {
  const earlier = context.filter(isConversational);
  const said = messages.filter(({ role }) => role === 'user');
  const answered = messages.filter(({ role }) => role === 'assistant');
  return {
    messages: said.map(toMessage),
    context: [...earlier, ...answered].toSorted((a, b) => a.seq - b.seq).map(toMessage),
  };
}

/** Ids of everything that may be shown, as it was said. */
export function listOrder({ messages, context }: BatchTurns): string[] {
  return [...context, ...messages].filter(isConversational).map(({ id }) => id);
}

/** For the local provider, which reads the conversation itself. */
export const NO_PROMPT: ExtractionPrompt = {
  version: 'none',
  system: '',
  user: '',
  schemaName: 'none',
  schema: {},
  messageIds: new Map(),
};

function isConversational({ role }: StoredTurn): boolean {
  return role === 'user' || role === 'assistant';
}

function toMessage({ id, role, actorId, content, saidAt }: StoredTurn): ConversationMessage {
  return { id, role, actorId, content, createdAt: saidAt };
}
