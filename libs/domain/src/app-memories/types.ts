/** A memory of one app and user (of all users, where the app is shared), made from a conversation that has ended. */
export interface AppMemory {
  readonly id: string;
  readonly content: string;
  /** Epoch ms; an edit leaves it. */
  readonly createdAt: number;
  /** Epoch ms. */
  readonly updatedAt: number;
}

/** Of each app and user (docs/reference/app-memories.md#ten-of-each-app-and-user). */
export const MAX_APP_MEMORIES = 10;

/** After which a model's answer is waited for no longer, its correction included: one memory, or one decision. In ms. */
export const APP_MEMORY_TIMEOUT_MS = 30_000;

/**
 * The one change with which eleven memories become ten: `delete` removes the target, which may be the new memory; `edit`
 * merges the new memory into the target, which then has the content.
 */
export type CompactionDecision =
  | { readonly action: 'delete'; readonly targetId: string; readonly reason: string }
  | { readonly action: 'edit'; readonly targetId: string; readonly newContent: string; readonly reason: string };
