/**
 * A message id was used before with different text (docs/reference/batches.md#duplicate-messages). `index` is its index
 * in the post.
 */
export class MessageConflictError extends Error {
  constructor(readonly index: number) {
    super('A message id was used before with other text.');
    this.name = 'MessageConflictError';
  }
}

interface IdentifiedMessage {
  readonly externalId: string | null;
  readonly contentHmac: Buffer;
}

/**
 * The messages of a post that are new: those without id, and those whose id is neither stored nor repeated in the post.
 * Throws MessageConflictError when an id is repeated with different text. `stored` maps ids to HMACs; null is an erased
 * HMAC, which matches any text.
 */
export function findNewMessages<M extends IdentifiedMessage>(
  messages: readonly M[],
  stored: ReadonlyMap<string, Buffer | null>,
): M[] {
  const inPost = new Map<string, Buffer>();
  return messages.filter((message, index) => {
    if (message.externalId === null) return true;
    const known = stored.has(message.externalId) ? stored.get(message.externalId)! : inPost.get(message.externalId);
    if (known === undefined) {
      inPost.set(message.externalId, message.contentHmac);
      return true;
    }
    if (known !== null && !known.equals(message.contentHmac)) throw new MessageConflictError(index);
    return false;
  });
}
