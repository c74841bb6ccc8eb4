import type { ConversationExcerpt, ConversationMessage } from '../provider/llm-request.js';

/** A message as it is shown; memories may cite it when it is `citable`. */
export interface ShownMessage {
  readonly message: ConversationMessage;
  readonly citable: boolean;
}

/**
 * The excerpt as one conversation, without what systems and tools said (decision 27). `order` holds message ids as they
 * followed each other; without it `createdAt` decides, with context before messages of the same time.
 */
export function orderMessages(
  { messages, context }: ConversationExcerpt,
  order: readonly string[] | undefined,
): ShownMessage[] {
  const places = new Map(order?.map((id, place) => [id, place]));
  const shown = [...context.map(asContext), ...messages.map(asSource)].filter(({ message }) => isSpoken(message));
  return shown.toSorted((a, b) => comparePlaces(a.message, b.message, places));
}

function comparePlaces(a: ConversationMessage, b: ConversationMessage, places: ReadonlyMap<string, number>): number {
  const [placeA, placeB] = [places.get(a.id), places.get(b.id)];
  return placeA !== undefined && placeB !== undefined ? placeA - placeB : a.createdAt - b.createdAt;
}

function asContext(message: ConversationMessage): ShownMessage {
  return { message, citable: false };
}

function asSource(message: ConversationMessage): ShownMessage {
  return { message, citable: message.role === 'user' };
}

function isSpoken({ role }: ConversationMessage): boolean {
  return role === 'user' || role === 'assistant';
}
