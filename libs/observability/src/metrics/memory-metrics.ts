import { LATENCY_BUCKETS_MS, type MetricDefinition } from './definition.js';
import { PROVIDER, REASON } from './labels.js';

/** Metrics of extracted and stored memories, and of embeddings. */
export const memoryMetrics = {
  memory_llm_persist_latency_ms_summary: {
    type: 'summary',
    unit: 'ms',
    help: 'Duration of the write transaction of a batch, from start to commit.',
    histogram: 'memory_llm_persist_latency_ms',
    labels: {},
  },
  memory_llm_persist_latency_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'The same observations as memory_llm_persist_latency_ms_summary, as a histogram that can be aggregated over replicas.',
    buckets: LATENCY_BUCKETS_MS,
    labels: {},
  },
  memory_llm_persist_inserted_total: { type: 'counter', unit: 'count', help: 'Memories inserted.', labels: {} },
  memory_llm_persist_updated_total: {
    type: 'counter',
    unit: 'count',
    help: 'Stored memories updated by a duplicate.',
    labels: {},
  },
  memory_llm_persist_skipped_duplicate_total: {
    type: 'counter',
    unit: 'count',
    help: 'Duplicate memories skipped because they changed nothing.',
    labels: {},
  },
  memory_llm_reconciliations_total: {
    type: 'counter',
    unit: 'count',
    help: 'Reconciliations of batches by a model, by outcome: `decided`, `not_understood` (unreadable answer) or `not_answered` (no call or a failed one).',
    labels: { outcome: ['decided', 'not_understood', 'not_answered'] },
  },
  memory_llm_persist_quarantined_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memories written to quarantine.',
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
    help: 'Extracted memories checked against the writing constraints, by outcome.',
    labels: { outcome: ['passed', 'rewritten', 'trimmed', 'rejected'] },
  },
  memory_llm_multi_fact_total: {
    type: 'counter',
    unit: 'count',
    help: 'Answers with too few memories about a long message, by outcome of the second extraction call: `requested`, `capped` (daily limit per user) or `failed`.',
    labels: { outcome: ['requested', 'capped', 'failed'] },
  },
  memory_llm_multi_fact_memories_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memories added by the second extraction call for long messages.',
    labels: {},
  },
  memory_llm_writing_violations_total: {
    type: 'counter',
    unit: 'count',
    help: 'Violations of writing constraints by extracted memories, before rewriting, by rule.',
    labels: { rule: { bounded: 'the writing constraints in the code' } },
  },
  memory_llm_memories_extracted_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memories extracted by a provider.',
    labels: { provider: PROVIDER },
  },
  memory_llm_memories_junk_total: {
    type: 'counter',
    unit: 'count',
    help: 'Extracted memories of no use: quarantined, rejected by the writing constraints, or expired without having been read.',
    labels: { cause: ['quarantined', 'rejected', 'expired_unread'] },
  },
  memory_llm_junk_rate: {
    type: 'gauge',
    unit: 'ratio',
    help: 'memory_llm_memories_junk_total / memory_llm_memories_extracted_total of this process since it started. Over replicas, divide the sums of the two counters.',
    labels: {},
  },
  memory_llm_embedding_calls_total: {
    type: 'counter',
    unit: 'count',
    help: 'Calls to the embedding provider, by outcome.',
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
    help: 'Embeddings found in the cache instead of being computed.',
    labels: { provider: PROVIDER },
  },
} as const satisfies Record<string, MetricDefinition>;
