import { counter, gauge, histogram, type MetricDefinition, REASON } from './definition.js';

const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Metrics of the gateway. */
export const gatewayMetrics = {
  memory_llm_http_requests_total: counter('HTTP requests answered, by route, method and status class.', {
    route: { bounded: 'the route patterns of the API; `unmatched` for all others' },
    method: { bounded: 'the HTTP methods of the API; `OTHER` for all others' },
    status_class: STATUS_CLASSES,
  }),
  memory_llm_http_request_duration_ms: histogram(
    'Time from the arrival of an HTTP request to the end of its response.',
    {
      route: { bounded: 'the route patterns of the API; `unmatched` for all others' },
      method: { bounded: 'the HTTP methods of the API; `OTHER` for all others' },
      status_class: STATUS_CLASSES,
    },
  ),
  memory_llm_rate_limited_requests_total: counter(
    'Requests rejected with 429 because their API key exceeded its rate limit, by what was exceeded.',
    { limit: ['requests', 'bytes'] },
  ),
  memory_llm_accept_duration_ms: histogram('Time to redact, store and queue the messages of one request.', {}),
  memory_llm_messages_accepted_total: counter('New messages stored.', {}),
  memory_llm_messages_duplicate_total: counter(
    'Duplicate messages: their id was already in the conversation, so they were not stored again.',
    {},
  ),
  memory_llm_imported_records_total: counter('Records of imports, by what became of them.', {
    kind: ['user_context', 'conversations', 'messages', 'memories'],
    outcome: ['taken', 'already_there', 'refused'],
  }),
  memory_llm_redactions_total: counter('Passages redacted before storage, by type of personal data or secret.', {
    type: { bounded: 'the types that the redactor detects' },
  }),
  memory_llm_query_duration_ms: histogram('Duration of memory queries (POST /v1/memory/query), by phase.', {
    phase: ['embed', 'candidates', 'rerank', 'rank', 'load', 'total'],
  }),
  memory_llm_query_degraded_total: counter(
    'Memory queries answered without embeddings or without the reranker because these failed, by reason.',
    { reason: REASON },
  ),
  memory_llm_queries_total: counter(
    'Memory queries answered, by purpose. Purpose `recall` divided by memory_llm_turns_accepted_total is the share of turns that needed a recall query (target: below 10 %).',
    { purpose: ['context', 'recall'] },
  ),
  memory_llm_turns_accepted_total: counter('New messages with role `user` stored.', {}),
  memory_llm_recall_duration_ms: histogram(
    'Duration of memory queries with purpose `recall` (target: below 200 ms).',
    {},
  ),
  memory_llm_authentication_failures_total: counter('Requests rejected with 401, by what was wrong with their key.', {
    reason: ['missing', 'unknown', 'expired'],
  }),
  memory_llm_refused_requests_total: counter('Requests rejected with 403, by problem code.', {
    code: ['forbidden_scope', 'forbidden_agent', 'forbidden_category', 'forbidden_user'],
  }),
  memory_llm_erasures_total: counter(
    'Users erased, and conversations, messages and subjects forgotten. A repeated request for the same one is not counted again.',
    { kind: ['user', 'conversation', 'message', 'subject'] },
  ),
  memory_llm_chat_completions_total: counter(
    'Chat completions, by what became of their memory: whether memories were used, and whether what was said was stored.',
    {
      recall: ['used', 'none', 'off', 'no_user', 'not_allowed', 'prefill', 'unavailable'],
      ingest: ['stored', 'duplicate', 'off', 'no_user', 'not_allowed', 'failed'],
    },
  ),
  memory_llm_chat_added_ms: histogram(
    'Time from the arrival of a chat completion until it is sent to its upstream: what memory adds to the first token.',
    {},
  ),
  memory_llm_chat_memory_failures_total: counter(
    'Chat completions that went on although their memory failed, by what failed: recalling, or storing what was said.',
    { step: ['recall', 'store'] },
  ),
  memory_llm_chat_open: gauge('Chat completions that are open in this process.', {}),
  memory_llm_events_dropped_total: counter(
    'Operational events (GET /v1/events) dropped because the write buffer was full or the write failed.',
    {},
  ),
} satisfies Record<string, MetricDefinition>;
