import type { EventDefinition } from './event-definition.js';

/** Events of app memories (docs/reference/app-memories.md#log-lines). Apps are named by customers, so only conversations are. */
export const appMemoryEvents = {
  app_memory_created: {
    when: 'when the memory of an app was written from a conversation that ended',
    fields: { tenantId: 'string', conversationId: 'string', memoryId: 'string' },
  },
  app_memories_compacted: {
    when: 'when an eleventh memory of an app made one of them go: `delete`, `edit` (merged into `targetMemoryId`), or `fifo`',
    fields: { tenantId: 'string', conversationId: 'string', action: 'string', targetMemoryId: 'string' },
  },
  app_memories_retrieved: {
    when: 'when the context of an app was read; `count`: memories in it',
    fields: { tenantId: 'string', count: 'number' },
  },
  app_memories_deleted: {
    when: 'when the memories of an app, or some of them, were deleted by a request; `count`: those that were in use',
    fields: { tenantId: 'string', keyId: 'string', count: 'number' },
  },
  app_uninstalled: {
    when: 'when an app was uninstalled; its memories stay, unless app_memories_deleted follows',
    fields: { tenantId: 'string', keyId: 'string' },
  },
  app_memory_failed: {
    when: 'when a model made no memory of a conversation (`task`: creation), or no decision about eleven (compaction)',
    fields: { tenantId: 'string', conversationId: 'string', task: 'string', code: 'string' },
  },
} as const satisfies Record<string, EventDefinition>;
