import { LATENCY_BUCKETS_MS, type MetricDefinition } from './definition.js';
import { PROVIDER, REASON } from './labels.js';

/** Metrics of what is written, asked and found. */
export const memoryMetrics = {
  memory_llm_persist_latency_ms_summary: {
    type: 'summary',
    unit: 'ms',
    help: 'Time of the write transaction of a batch, from start to commit.',
    histogram: 'memory_llm_persist_latency_ms',
    labels: {},
  },
  memory_llm_persist_latency_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'The same observations as memory_llm_persist_latency_ms_summary, to be added up over replicas.',
    buckets: LATENCY_BUCKETS_MS,
    labels: {},
  },
  memory_llm_persist_inserted_total: { type: 'counter', unit: 'count', help: 'Memories inserted.', labels: {} },
  memory_llm_persist_updated_total: {
    type: 'counter',
    unit: 'count',
    help: 'Stored memories that a duplicate improved.',
    labels: {},
  },
  memory_llm_persist_skipped_duplicate_total: {
    type: 'counter',
    unit: 'count',
    help: 'Duplicates that changed nothing.',
    labels: {},
  },
  memory_llm_reconciliations_total: {
    type: 'counter',
    unit: 'count',
    help: 'Batches whose statements a model compared with stored memories, by what came of it.',
    labels: { outcome: ['decided', 'not_understood', 'not_answered'] },
  },
  memory_llm_persist_quarantined_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memories stored in quarantine.',
    labels: {},
  },
  memory_llm_memories_quarantined_total: {
    type: 'counter',
    unit: 'count',
    help: 'Extracted memories quarantined, by reason.',
    labels: { reason: REASON },
  },
  memory_llm_writing_checked_total: {
    type: 'counter',
    unit: 'count',
    help: 'Extracted memories held to the writing constraints, by what became of them.',
    labels: { outcome: ['passed', 'rewritten', 'trimmed', 'rejected'] },
  },
  memory_llm_multi_fact_total: {
    type: 'counter',
    unit: 'count',
    help: 'Answers that told next to nothing of a long message, by the outcome of a second call.',
    labels: { outcome: ['requested', 'capped', 'failed'] },
  },
  memory_llm_multi_fact_memories_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memories that a second call for long messages added.',
    labels: {},
  },
  memory_llm_writing_violations_total: {
    type: 'counter',
    unit: 'count',
    help: 'Times an extracted memory broke a writing constraint at first, by rule.',
    labels: { rule: { bounded: 'the rules in the code' } },
  },
  memory_llm_memories_extracted_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memories that a provider proposed.',
    labels: { provider: PROVIDER },
  },
  memory_llm_memories_junk_total: {
    type: 'counter',
    unit: 'count',
    help: 'Extracted memories that were of no use.',
    labels: { cause: ['quarantined', 'rejected', 'expired_unread'] },
  },
  memory_llm_junk_rate: {
    type: 'gauge',
    unit: 'ratio',
    help: 'memory_llm_memories_junk_total / memory_llm_memories_extracted_total of this process since its start; over replicas divide the two sums.',
    labels: {},
  },
  memory_llm_embedding_calls_total: {
    type: 'counter',
    unit: 'count',
    help: 'Calls of the embedding provider.',
    labels: { provider: PROVIDER, outcome: ['ok', 'error'] },
  },
  memory_llm_embedding_inputs_total: {
    type: 'counter',
    unit: 'count',
    help: 'Texts sent to the embedding provider.',
    labels: { provider: PROVIDER },
  },
  memory_llm_embedding_cache_hits_total: {
    type: 'counter',
    unit: 'count',
    help: 'Vectors found in the cache.',
    labels: { provider: PROVIDER },
  },
} as const satisfies Record<string, MetricDefinition>;
