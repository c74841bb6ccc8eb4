import type { Clock } from '@annals/domain';
import type { PricingCatalog } from '../../pricing/pricing-catalog.js';

/** What every provider behind a network needs. */
export interface RemoteProviderOptions {
  apiKey: string;
  model: string;
  /** Without it the official address. */
  baseUrl?: string;
  /** For one call, from sending to the end of its answer. */
  timeoutMs: number;
  catalog: PricingCatalog;
  clock: Clock;
}
