import type { Config } from '@annals/config';
import type { BreakerPolicy, RateLimits } from '@annals/coordination';
import type { ModelCall } from './model-calls.js';

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

export const NOT_LIMITED: RateLimits = { requestsPerMinute: null, tokensPerMinute: null };

/** The configured rates of a model; a model that is not listed is limited only by the headers of its provider. */
export function findRates({ models }: Pick<ModelLimits, 'models'>, provider: string, model: string): RateLimits {
  return models.find((each) => each.provider === provider && each.model === model)?.rates ?? NOT_LIMITED;
}

/** Key of the circuit and the rate limiter of a provider and model. */
export function buildModelKey(provider: string, model: string): string {
  return `${provider}:${model}`;
}

/** The circuit and the rate limiter that a call uses. */
export function modelKeyOf({
  provider,
  model,
  operation,
  passesFailuresOn,
}: Pick<ModelCall<unknown>, 'provider' | 'model' | 'operation' | 'passesFailuresOn'>): string {
  // A circuit that never opens, and a limiter without limits: one for all models, which its callers name as they like.
  return passesFailuresOn ? buildModelKey(provider, operation) : buildModelKey(provider, model);
}

/** The configuration fragments of remote models and their limits; a process loads those it needs. */
export type ModelsConfig = Partial<Config<'llm' | 'chat' | 'embeddings' | 'rerank' | 'budgets' | 'circuit'>>;

/** A worker that reports nothing for this time beyond the timeout of a call is dead, and its probe has failed. */
const PROBE_GRACE_MS = 30_000;

/** The limits on the remote model calls of this process; null when all its models are inside the process. */
export function readModelLimits(config: ModelsConfig): ModelLimits | null {
  const models = [...listExtractionModels(config), ...listEmbeddingModels(config), ...listRerankModels(config)];
  if (models.length === 0 && !metersChats(config)) return null;
  const { budgets, circuit, llm } = config;
  if (!budgets || !circuit)
    throw new Error('A process that calls remote models must load the fragments "budgets" and "circuit".');
  const probeLease = llm ? { probeLeaseMs: llm.timeoutMs + PROBE_GRACE_MS } : {};
  const { settlingMarginMs, ...spending } = budgets;
  return { models, spending, breaker: { ...circuit, ...probeLease }, settlingMarginMs };
}

/** Whether completions are made on a key of ours. Their models are named by those who ask. */
function metersChats({ chat }: ModelsConfig): boolean {
  return chat !== undefined && (chat.upstreamKey !== undefined || chat.upstreamFree || chat.anthropicKey !== undefined);
}

function listExtractionModels({ llm }: ModelsConfig): LimitedModel[] {
  return (llm?.chain ?? []).flatMap((each) =>
    each.provider === 'local' ? [] : [{ provider: each.provider, model: each.model, rates: each.rates }],
  );
}

/** Embedding servers are limited only by their own headers: their limits are mostly far above what memories need. */
function listEmbeddingModels({ embeddings }: ModelsConfig): LimitedModel[] {
  if (embeddings?.kind !== 'openai') return [];
  const { kind, model, dimensions } = embeddings;
  return [{ provider: kind, model: `${model}-${dimensions}`, rates: NOT_LIMITED }];
}

/** Limited only by the headers of the server, like embeddings. */
function listRerankModels({ rerank }: ModelsConfig): LimitedModel[] {
  if (rerank === undefined || rerank.model.kind !== 'http') return [];
  return [{ provider: 'rerank', model: rerank.model.model, rates: NOT_LIMITED }];
}
