import { LATENCY_BUCKETS_MS, type MetricDefinition } from './definition.js';
import { REASON } from './labels.js';

const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Metrics of the gateway and of what it accepts. */
export const gatewayMetrics = {
  memory_llm_http_requests_total: {
    type: 'counter',
    unit: 'count',
    help: 'Requests answered.',
    labels: {
      route: { bounded: 'the route patterns of the API; `unmatched` for all others' },
      method: { bounded: 'the HTTP methods of the API; `OTHER` for all others' },
      status_class: STATUS_CLASSES,
    },
  },
  memory_llm_http_request_duration_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Time from the arrival of a request to the end of its answer.',
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
    help: 'Requests refused because their key sent too many.',
    labels: {},
  },
  memory_llm_accept_duration_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Time to redact, store and queue one post of messages.',
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
    help: 'Messages posted again: duplicates, which are not stored.',
    labels: {},
  },
  memory_llm_redactions_total: {
    type: 'counter',
    unit: 'count',
    help: 'Passages replaced before storing, by what they were.',
    labels: { type: { bounded: 'the types of the redactor' } },
  },
  memory_llm_query_duration_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Time of memory.query, by phase.',
    buckets: LATENCY_BUCKETS_MS,
    labels: { phase: ['embed', 'candidates', 'rerank', 'rank', 'load', 'total'] },
  },
  memory_llm_query_degraded_total: {
    type: 'counter',
    unit: 'count',
    help: 'Queries answered without vectors or without the reranker.',
    labels: { reason: REASON },
  },
  memory_llm_queries_total: {
    type: 'counter',
    unit: 'count',
    help: 'Answers of memory.query. Those of purpose `recall` divided by memory_llm_turns_accepted_total are the share of turns that needed a recall query (below 10 %).',
    labels: { purpose: ['context', 'recall'] },
  },
  memory_llm_turns_accepted_total: {
    type: 'counter',
    unit: 'count',
    help: 'New messages stored of the role `user`: turns of a conversation.',
    labels: {},
  },
  memory_llm_recall_duration_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Time of memory.query on demand, with purpose `recall` (target: below 200 ms).',
    buckets: LATENCY_BUCKETS_MS,
    labels: {},
  },
  memory_llm_refused_requests_total: {
    type: 'counter',
    unit: 'count',
    help: 'Requests refused with 403, by what was refused.',
    labels: { code: ['forbidden_scope', 'forbidden_agent', 'forbidden_category', 'forbidden_user'] },
  },
  memory_llm_erasures_total: {
    type: 'counter',
    unit: 'count',
    help: 'Users erased and conversations forgotten, once each however often that is asked.',
    labels: { kind: ['user', 'conversation'] },
  },
  memory_llm_events_dropped_total: {
    type: 'counter',
    unit: 'count',
    help: 'Operational events that were not written because too many waited, or the database refused them.',
    labels: {},
  },
} as const satisfies Record<string, MetricDefinition>;
