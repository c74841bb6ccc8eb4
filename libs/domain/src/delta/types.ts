import type { ChangeEvent } from '@annals/contracts';

/** One row of a thread's change_log, as far as the header needs it. */
export interface ThreadChange {
  readonly revision: number;
  /** Place among the changes of one revision. */
  readonly n: number;
  readonly event: ChangeEvent;
  readonly memoryId: string;
  /** The category after the change, and what it was where the change is a refiling. */
  readonly category: string;
  readonly formerCategory: string | null;
  readonly importance: number | null;
  /** The memory that this one took the place of. */
  readonly replaces: string | null;
  /** The memory that this one was merged into. */
  readonly mergedInto: string | null;
  /** What the memory says; null when it is gone or not the caller's to read. */
  readonly content: string | null;
}

/** Which categories a caller sees: null for all, less those left out. */
export interface CategoryView {
  readonly categories: readonly string[] | null;
  readonly exceptCategories: readonly string[];
}

/** What several changes of one memory come to, for who last looked before the first of them. */
export interface NetChange {
  readonly event: ChangeEvent;
  readonly memoryId: string;
  readonly category: string;
  readonly importance: number | null;
  readonly content: string | null;
  /** Memories that became this one, itself included. */
  readonly merged: number;
  readonly revision: number;
  readonly n: number;
}
