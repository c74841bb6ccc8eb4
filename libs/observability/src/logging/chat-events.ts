import type { EventDefinition } from './event-definition.js';

/** Events of chat completions (docs/chat.md#when-something-fails). What was said is in none of them. */
export const chatEvents = {
  chat_memory_failed: {
    when: 'when a chat completion goes on although its memory failed',
    fields: { step: ['recall', 'store'], error: 'error' },
  },
  chat_upstream_failed: {
    when: 'when the upstream of a chat completion broke off in the middle of its answer',
    fields: { error: 'error' },
  },
} as const satisfies Record<string, EventDefinition>;
