import { LLM_ERROR_TYPES } from '../logging/events.js';
import { counter, gauge, type MetricDefinition, PROVIDER } from './definition.js';

/** Metrics of app memories (docs/reference/app-memories.md#metrics). */
export const appMemoryMetrics = {
  memory_llm_app_memories_created_total: counter('App memories made of conversations that ended.', {
    provider: PROVIDER,
  }),
  memory_llm_app_memory_compactions_total: counter(
    'App memories that had to go for a new one: deleted or merged by a decision, or the oldest, since none could be carried out (`fifo`).',
    { action: ['delete', 'edit', 'fifo'] },
  ),
  memory_llm_app_memory_failures_total: counter(
    'Failures of app memories: of `creation`, after which there is no memory, and of a decision about eleven (`compaction`), after which the oldest goes. `invalid_answer`: it broke the rules twice. `pool_changed`: the decision did not fit any more.',
    {
      task: ['creation', 'compaction'],
      code: [...LLM_ERROR_TYPES, 'invalid_answer', 'pool_changed'],
    },
  ),
  memory_llm_app_conversations_total: counter(
    'Conversations of apps, each once: counted when a post names an app for the first time.',
    {},
  ),
  memory_llm_app_contexts_injected_total: counter(
    'Conversations for which a context with app memories was read, each once.',
    {},
  ),
  memory_llm_apps: gauge('Apps that are installed. Read from the database when scraped.', {}),
  memory_llm_apps_with_memories: gauge(
    'Installed apps with at least one memory. Read from the database when scraped.',
    {},
  ),
} satisfies Record<string, MetricDefinition>;
