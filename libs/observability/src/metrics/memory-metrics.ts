import { counter, gauge, histogram, type MetricDefinition, PROVIDER, REASON, summary } from './definition.js';

/** Metrics of extracted and stored memories, and of embeddings. */
export const memoryMetrics = {
  memory_llm_persist_latency_ms_summary: summary(
    'Duration of the write transaction of a batch, from start to commit.',
    'memory_llm_persist_latency_ms',
    {},
  ),
  memory_llm_persist_latency_ms: histogram(
    'The same observations as memory_llm_persist_latency_ms_summary, as a histogram that can be aggregated over replicas.',
    {},
  ),
  memory_llm_persist_inserted_total: counter('Memories inserted.', {}),
  memory_llm_persist_superseded_total: counter(
    'Memories inserted in place of an earlier one that they contradict or update.',
    {},
  ),
  memory_llm_persist_updated_total: counter('Stored memories updated by a duplicate.', {}),
  memory_llm_persist_skipped_duplicate_total: counter('Duplicate memories skipped because they changed nothing.', {}),
  memory_llm_reconciliations_total: counter(
    'Reconciliations of batches by a model, by outcome: `decided`, `not_understood` (unreadable answer) or `not_answered` (no call or a failed one).',
    { outcome: ['decided', 'not_understood', 'not_answered'] },
  ),
  memory_llm_late_merges_total: counter(
    'Memories merged with one of the same meaning when their vector came later than they did.',
    {},
  ),
  memory_llm_persist_quarantined_total: counter('Memories written to quarantine.', {}),
  memory_llm_memories_quarantined_total: counter('Extracted memories quarantined, by reason.', { reason: REASON }),
  memory_llm_writing_checked_total: counter('Extracted memories checked against the writing constraints, by outcome.', {
    outcome: ['passed', 'rewritten', 'trimmed', 'rejected'],
  }),
  memory_llm_multi_fact_total: counter(
    'Answers with too few memories about a long message, by outcome of the second extraction call: `requested`, `capped` (daily limit per user) or `failed`.',
    { outcome: ['requested', 'capped', 'failed'] },
  ),
  memory_llm_multi_fact_memories_total: counter('Memories added by the second extraction call for long messages.', {}),
  memory_llm_multi_fact_dropped_total: counter(
    'Memories of a long message with a second extraction call that exceeded the number a message may have, of both calls together.',
    {},
  ),
  memory_llm_procedures_total: counter(
    'Finished workflows of agents: worded by a `model` or `rules`, by rules since the daily limit per user was reached (`capped`) or since the model that was asked gave no usable answer (`failed`), `declined` by the model, or `unsupported` by what was said.',
    { outcome: ['model', 'rules', 'capped', 'failed', 'declined', 'unsupported'] },
  ),
  memory_llm_writing_violations_total: counter(
    'Violations of writing constraints by extracted memories, before rewriting, by rule.',
    { rule: { bounded: 'the writing constraints in the code' } },
  ),
  memory_llm_manual_writing_violations_total: counter(
    'Violations of writing constraints by memories written by hand, by rule: `stored` with a warning, or `refused`.',
    { rule: { bounded: 'the writing constraints in the code' }, outcome: ['stored', 'refused'] },
  ),
  memory_llm_memories_extracted_total: counter('Memories extracted by a provider.', { provider: PROVIDER }),
  memory_llm_memories_junk_total: counter(
    'Extracted memories of no use: quarantined, rejected by the writing constraints, or expired without having been read.',
    { cause: ['quarantined', 'rejected', 'expired_unread'] },
  ),
  memory_llm_junk_rate: gauge(
    'memory_llm_memories_junk_total / memory_llm_memories_extracted_total of this process since it started. Over replicas, divide the sums of the two counters.',
    {},
    'ratio',
  ),
  memory_llm_summaries_total: counter('Summaries of conversations that were made, by tier and provider.', {
    tier: ['L1', 'L2', 'L3'],
    provider: PROVIDER,
  }),
  memory_llm_summary_compression_ratio: {
    type: 'histogram',
    help: 'Tokens of a summary as a share of the tokens that it covers, by tier.',
    unit: 'ratio',
    labels: { tier: ['L1', 'L2', 'L3'] },
    buckets: [0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.17, 0.2, 0.25, 0.3, 0.5, 1],
  },
  memory_llm_summary_sentences_rejected_total: counter(
    'Sentences of summaries that were not let through: without a message that was shown, with a number, name, date or negation that its messages do not have, or with what they deny.',
    { fault: ['uncited', 'invented', 'reversed'] },
  ),
  memory_llm_evicted_total: counter(
    'Entries that conversations above their limit have lost: turns, which left the index, and facts.',
    { entry: ['turn', 'fact'] },
  ),
  memory_llm_embedding_calls_total: counter('Calls to the embedding provider, by outcome.', {
    provider: PROVIDER,
    outcome: ['ok', 'error'],
  }),
  memory_llm_embedding_inputs_total: counter('Texts sent to the embedding provider.', { provider: PROVIDER }),
  memory_llm_embedding_cache_hits_total: counter('Embeddings found in the cache instead of being computed.', {
    provider: PROVIDER,
  }),
} satisfies Record<string, MetricDefinition>;
