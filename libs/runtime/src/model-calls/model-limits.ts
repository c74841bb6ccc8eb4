import type { BreakerPolicy, RateLimits } from '@annals/coordination';

/** Budgets of the configuration, in micro-USD per UTC day; null: not enforced. Database tables may override each. */
export interface SpendingLimits {
  readonly deploymentMicroUsd: number | null;
  /** For each tenant without a limit of its own. */
  readonly tenantMicroUsd: number | null;
  /** By name of the provider; one that is missing has no limit. */
  readonly providersMicroUsd: Readonly<Record<string, number | null>>;
}

/** A remote model that this process may call. */
export interface LimitedModel {
  readonly provider: string;
  readonly model: string;
  readonly rates: RateLimits;
}

/** Time to settle a call after its timeout, in ms, before its worker is considered dead. */
export const SETTLING_MARGIN_MS = 30_000;

/** Limits on the calls of remote models. */
export interface ModelLimits {
  readonly spending: SpendingLimits;
  readonly models: readonly LimitedModel[];
  /** Missing values are those of DEFAULT_BREAKER_POLICY. */
  readonly breaker?: Partial<BreakerPolicy>;
  /** Default {@link SETTLING_MARGIN_MS}. */
  readonly settlingMarginMs?: number;
}

const NOT_LIMITED: RateLimits = { requestsPerMinute: null, tokensPerMinute: null };

/** The configured rates of a model; a model that is not listed is limited only by the headers of its provider. */
export function findRates({ models }: Pick<ModelLimits, 'models'>, provider: string, model: string): RateLimits {
  return models.find((each) => each.provider === provider && each.model === model)?.rates ?? NOT_LIMITED;
}

/** Key of the circuit and the rate limiter of a provider and model. */
export function buildModelKey(provider: string, model: string): string {
  return `${provider}:${model}`;
}
