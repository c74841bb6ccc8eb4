/**
 * Kinds of entries of the list of deletions (docs/reference/deletions.md). `memory_restored` and `insights_on` take back
 * the entries before them about the same subject. `memory_words` and `conversation_thread` are for imports: a replay has
 * nothing to do for them, since the deletions themselves are entries of their own.
 */
export const DELETION_KINDS = [
  'tenant',
  'user',
  'conversation',
  'conversation_thread',
  'memory',
  'memory_restored',
  'memory_forgotten',
  'memory_words',
  'message',
  'app',
  'app_memory',
  'app_memories',
  'app_memories_of_user',
  'checkpoint',
  'langgraph_thread',
  'langgraph_item',
  'context_field',
  'context_goal',
  'insights_off',
  'insights_on',
  'api_key',
] as const;
export type DeletionKind = (typeof DELETION_KINDS)[number];

/** Kinds that only imports ask for. */
export const IMPORT_KINDS = ['memory_words', 'conversation_thread'] as const satisfies readonly DeletionKind[];
export type ImportKind = (typeof IMPORT_KINDS)[number];
