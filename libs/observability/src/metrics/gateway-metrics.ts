import { LATENCY_BUCKETS_MS, type MetricDefinition } from './definition.js';
import { REASON } from './labels.js';

const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Metrics of the gateway. */
export const gatewayMetrics = {
  memory_llm_http_requests_total: {
    type: 'counter',
    unit: 'count',
    help: 'HTTP requests answered, by route, method and status class.',
    labels: {
      route: { bounded: 'the route patterns of the API; `unmatched` for all others' },
      method: { bounded: 'the HTTP methods of the API; `OTHER` for all others' },
      status_class: STATUS_CLASSES,
    },
  },
  memory_llm_http_request_duration_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Time from the arrival of an HTTP request to the end of its response.',
    buckets: LATENCY_BUCKETS_MS,
    labels: {
      route: { bounded: 'the route patterns of the API; `unmatched` for all others' },
      method: { bounded: 'the HTTP methods of the API; `OTHER` for all others' },
      status_class: STATUS_CLASSES,
    },
  },
  memory_llm_rate_limited_requests_total: {
    type: 'counter',
    unit: 'count',
    help: 'Requests rejected with 429 because their API key exceeded its rate limit.',
    labels: {},
  },
  memory_llm_accept_duration_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Time to redact, store and queue the messages of one request.',
    buckets: LATENCY_BUCKETS_MS,
    labels: {},
  },
  memory_llm_messages_accepted_total: {
    type: 'counter',
    unit: 'count',
    help: 'New messages stored.',
    labels: {},
  },
  memory_llm_messages_duplicate_total: {
    type: 'counter',
    unit: 'count',
    help: 'Duplicate messages: their id was already in the conversation, so they were not stored again.',
    labels: {},
  },
  memory_llm_redactions_total: {
    type: 'counter',
    unit: 'count',
    help: 'Passages redacted before storage, by type of personal data or secret.',
    labels: { type: { bounded: 'the types that the redactor detects' } },
  },
  memory_llm_query_duration_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Duration of memory queries (POST /v1/memory/query), by phase.',
    buckets: LATENCY_BUCKETS_MS,
    labels: { phase: ['embed', 'candidates', 'rerank', 'rank', 'load', 'total'] },
  },
  memory_llm_query_degraded_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memory queries answered without embeddings or without the reranker because these failed, by reason.',
    labels: { reason: REASON },
  },
  memory_llm_queries_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memory queries answered, by purpose. Purpose `recall` divided by memory_llm_turns_accepted_total is the share of turns that needed a recall query (target: below 10 %).',
    labels: { purpose: ['context', 'recall'] },
  },
  memory_llm_turns_accepted_total: {
    type: 'counter',
    unit: 'count',
    help: 'New messages with role `user` stored.',
    labels: {},
  },
  memory_llm_recall_duration_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Duration of memory queries with purpose `recall` (target: below 200 ms).',
    buckets: LATENCY_BUCKETS_MS,
    labels: {},
  },
  memory_llm_refused_requests_total: {
    type: 'counter',
    unit: 'count',
    help: 'Requests rejected with 403, by problem code.',
    labels: { code: ['forbidden_scope', 'forbidden_agent', 'forbidden_category', 'forbidden_user'] },
  },
  memory_llm_erasures_total: {
    type: 'counter',
    unit: 'count',
    help: 'Users erased and conversations forgotten. A repeated request for the same one is not counted again.',
    labels: { kind: ['user', 'conversation'] },
  },
  memory_llm_events_dropped_total: {
    type: 'counter',
    unit: 'count',
    help: 'Operational events (GET /v1/events) dropped because the write buffer was full or the write failed.',
    labels: {},
  },
} as const satisfies Record<string, MetricDefinition>;
