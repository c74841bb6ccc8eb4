/**
 * Kinds of entries of the list of deletions (docs/reference/deletions.md). `memory_restored` and `insights_on` take back
 * the entries before them about the same subject.
 */
export const DELETION_KINDS = [
  'tenant',
  'user',
  'conversation',
  'memory',
  'memory_restored',
  'memory_forgotten',
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
