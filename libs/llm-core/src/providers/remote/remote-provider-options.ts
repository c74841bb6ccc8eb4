import type { Clock } from '@annals/domain';
import type { PricingCatalog } from '../../pricing/pricing-catalog.js';

/** Options of every remote provider. */
export interface RemoteProviderOptions {
  apiKey: string;
  model: string;
  /** Default: the official API. */
  baseUrl?: string;
  /** Timeout of one call in ms, from sending to the end of the answer. */
  timeoutMs: number;
  catalog: PricingCatalog;
  clock: Clock;
}
