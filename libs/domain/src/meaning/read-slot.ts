/** What a statement says of something that has one value at a time. */
export interface Slot {
  /** Names the thing, "where the user lives": statements of the same key are about the same. */
  readonly key: string;
  /** Its value, in lower case: statements of one key with different values cannot hold at once. */
  readonly value: string;
}

/** What is read of a statement. */
export interface SlotInput {
  readonly content: string;
  readonly type: string;
}

export function readSlot(_statement: SlotInput): Slot | null {
  return null;
}
