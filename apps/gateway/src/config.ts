import type { Config } from '@annals/config';

/** Configuration of the gateway itself; the profile adds the fragments of its infrastructure. */
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
