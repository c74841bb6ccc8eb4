import type { BreakerPolicy, RateLimits } from '@annals/coordination';

/** Limits on money from the configuration, in micro-USD a UTC day; null: not enforced. Tables may override each. */
export interface SpendingLimits {
  readonly deploymentMicroUsd: number | null;
  /** Of every tenant that has no limit of its own. */
  readonly tenantMicroUsd: number | null;
  /** By name of the provider; one that is missing has no limit of its own. */
  readonly providersMicroUsd: Readonly<Record<string, number | null>>;
}

/** A remote model that this process may call. */
export interface LimitedModel {
  readonly provider: string;
  readonly model: string;
  readonly rates: RateLimits;
}

/** After its timeout a call has so long to be settled, in ms, before its worker counts as dead. */
export const SETTLING_MARGIN_MS = 30_000;

/** What binds the calls of remote models. */
export interface ModelLimits {
  readonly spending: SpendingLimits;
  readonly models: readonly LimitedModel[];
  /** What is left out holds as in DEFAULT_BREAKER_POLICY. */
  readonly breaker?: Partial<BreakerPolicy>;
  /** Default {@link SETTLING_MARGIN_MS}. */
  readonly settlingMarginMs?: number;
}

const NOT_LIMITED: RateLimits = { requestsPerMinute: null, tokensPerMinute: null };

/** The configured rates of a model; one that is not listed is paced by the provider's own headers alone. */
export function findRates({ models }: Pick<ModelLimits, 'models'>, provider: string, model: string): RateLimits {
  return models.find((each) => each.provider === provider && each.model === model)?.rates ?? NOT_LIMITED;
}

/** Names a circuit and a rate limiter: one of each for every provider and model. */
export function buildModelKey(provider: string, model: string): string {
  return `${provider}:${model}`;
}
