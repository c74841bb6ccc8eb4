import type { ConversationMessage } from '@annals/llm-core';
import type { StoredTurn } from '@annals/storage';

/** Messages before a batch that are sent as context. */
export const CONTEXT_MESSAGES = 10;

export interface BatchTurns {
  readonly messages: readonly StoredTurn[];
  /** Messages of the conversation before the batch. */
  readonly context: readonly StoredTurn[];
  /** The same further back, where no stored batch leads to them. */
  readonly earlier?: readonly StoredTurn[];
}

/** What may be sent of a batch (docs/reference/extraction.md#only-user-messages-are-extracted). */
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

/** Ids of all messages that may be sent, in the order of the conversation. */
export function listOrder({ messages, context }: BatchTurns): string[] {
  return [...context, ...messages].filter(isConversational).map(({ id }) => id);
}

function isConversational({ role }: StoredTurn): boolean {
  return role === 'user' || role === 'assistant';
}

function toMessage({ id, role, actorId, content, saidAt }: StoredTurn): ConversationMessage {
  return { id, role, actorId, content, createdAt: saidAt };
}
