import type { Config } from '@annals/config';

/** What the gateway itself is configured by; the profile adds what its infrastructure needs. */
export const GATEWAY_FRAGMENTS = [
  'http',
  'limits',
  'batching',
  'redaction',
  'categories',
  'checkpoints',
  'retention',
  'embeddings',
  'recall',
  'rerank',
  'pricing',
  'budgets',
  'circuit',
] as const;
export type GatewayConfig = Config<(typeof GATEWAY_FRAGMENTS)[number]>;
