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
