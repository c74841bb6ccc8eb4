/** An id was used with other text (docs/reference/batches.md#duplicate-messages). `index`: of the message. */
export class MessageConflictError extends Error {
  constructor(readonly index: number) {
    super('A message id was used before with other text.');
    this.name = 'MessageConflictError';
  }
}

interface HashedMessage {
  readonly contentHmac: Buffer;
  /** Of the same text under other keys that are accepted. */
  readonly acceptedHmacs?: readonly Buffer[];
}

interface IdentifiedMessage extends HashedMessage {
  readonly externalId: string | null;
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
    if (known !== null && !hasHmac(message, known)) throw new MessageConflictError(index);
    return false;
  });
}

/** Whether it is the text of a stored message. */
export function hasHmac({ contentHmac, acceptedHmacs = [] }: HashedMessage, known: Buffer): boolean {
  return [contentHmac, ...acceptedHmacs].some((hmac) => known.equals(hmac));
}

/** A share of newly accepted messages: the batch that they join, and whether it is full with them. */
export interface BatchShare {
  /** The open batch that is continued, or null for a new one. */
  readonly openBatchId: string | null;
  readonly take: number;
  readonly sealed: boolean;
}

/**
 * Splits `count` new messages into batches of at most `maxMessages`: the open batch first, new ones after it. Every
 * batch but the last is full and therefore sealed; the last is sealed when full or when `sealLast`
 * (docs/reference/batches.md#sealing-a-batch).
 */
export function planBatches(
  count: number,
  open: { id: string; messageCount: number } | null,
  maxMessages: number,
  sealLast: boolean,
): BatchShare[] {
  const shares: BatchShare[] = [];
  let left = count;
  if (open && left > 0) {
    const take = Math.min(left, Math.max(0, maxMessages - open.messageCount));
    if (take > 0) {
      left -= take;
      const full = open.messageCount + take >= maxMessages;
      shares.push({ openBatchId: open.id, take, sealed: full || (left === 0 && sealLast) });
    }
  }
  while (left > 0) {
    const take = Math.min(left, maxMessages);
    left -= take;
    shares.push({ openBatchId: null, take, sealed: take === maxMessages || (left === 0 && sealLast) });
  }
  return shares;
}
