import type { RecallPart } from '../recall/recall-part.js';

/**
 * What one mind brings to the schema: one file of this folder each. Conditions are SQL on the row `t`. When a user is
 * erased, `own`, `of_user` and `batch_ids` (of their conversations) are known; when a conversation is forgotten, also
 * `of_conversation`, and `batch_ids` are its own.
 */
export interface MindPart extends RecallPart {
  /** Tables with something of one person: which of their rows are the user's. Children before parents. */
  readonly erased?: Readonly<Record<string, string>>;
  /** Tables with something of one conversation: which of their rows are its. Children before parents. */
  readonly forgotten?: Readonly<Record<string, string>>;
}
