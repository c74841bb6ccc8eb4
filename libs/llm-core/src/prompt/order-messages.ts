import type { ConversationExcerpt, ConversationMessage } from '../provider/llm-request.js';

/** A message in the prompt; memories may cite it if it is `citable`. */
export interface ExcerptMessage {
  readonly message: ConversationMessage;
  readonly citable: boolean;
}

/**
 * Merges the excerpt into one conversation, without system and tool messages
 * (docs/reference/extraction.md#only-user-messages-are-extracted). `order` holds message ids in the order of the
 * conversation; without it, messages are ordered by `createdAt`, with context before messages of the same time.
 */
export function orderMessages(
  { messages, context }: ConversationExcerpt,
  order: readonly string[] | undefined,
): ExcerptMessage[] {
  const positions = new Map(order?.map((id, position) => [id, position]));
  return [
    ...context.map((message) => ({ message, citable: false })),
    ...messages.map((message) => ({ message, citable: message.role === 'user' })),
  ]
    .filter(({ message: { role } }) => role === 'user' || role === 'assistant')
    .toSorted((a, b) => comparePositions(a.message, b.message, positions));
}

function comparePositions(
  a: ConversationMessage,
  b: ConversationMessage,
  positions: ReadonlyMap<string, number>,
): number {
  const [positionA, positionB] = [positions.get(a.id), positions.get(b.id)];
  return positionA !== undefined && positionB !== undefined ? positionA - positionB : a.createdAt - b.createdAt;
}
