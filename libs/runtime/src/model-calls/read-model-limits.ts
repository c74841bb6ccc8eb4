import type { Config } from '@annals/config';
import type { LimitedModel, ModelLimits } from './model-limits.js';

/** The configuration fragments of remote models and their limits; a process loads those it needs. */
export type ModelsConfig = Partial<Config<'llm' | 'embeddings' | 'rerank' | 'budgets' | 'circuit'>>;

/** A worker that reports nothing for this time beyond the timeout of a call is dead, and its probe has failed. */
const PROBE_GRACE_MS = 30_000;

/** The limits on the remote model calls of this process; null when all its models are inside the process. */
export function readModelLimits(config: ModelsConfig): ModelLimits | null {
  const models = [...listExtractionModels(config), ...listEmbeddingModels(config), ...listRerankModels(config)];
  if (models.length === 0) return null;
  const { budgets, circuit, llm } = config;
  if (!budgets || !circuit)
    throw new Error('A process that calls remote models must load the fragments "budgets" and "circuit".');
  const probeLease = llm ? { probeLeaseMs: llm.timeoutMs + PROBE_GRACE_MS } : {};
  const { settlingMarginMs, ...spending } = budgets;
  return { models, spending, breaker: { ...circuit, ...probeLease }, settlingMarginMs };
}

function listExtractionModels({ llm }: ModelsConfig): LimitedModel[] {
  return (llm?.chain ?? []).flatMap((each) =>
    each.provider === 'local' ? [] : [{ provider: each.provider, model: each.model, rates: each.rates }],
  );
}

/** Embedding servers are limited only by their own headers: their limits are mostly far above what memories need. */
function listEmbeddingModels({ embeddings }: ModelsConfig): LimitedModel[] {
  if (embeddings === undefined || embeddings.kind === 'hashed') return [];
  const { model, dimensions } = embeddings;
  const rates = { requestsPerMinute: null, tokensPerMinute: null };
  return [{ provider: embeddings.kind, model: `${model}-${dimensions}`, rates }];
}

/** Limited only by the headers of the server, like embeddings. */
function listRerankModels({ rerank }: ModelsConfig): LimitedModel[] {
  if (rerank === undefined || rerank.model.kind !== 'http') return [];
  const rates = { requestsPerMinute: null, tokensPerMinute: null };
  return [{ provider: 'rerank', model: rerank.model.model, rates }];
}
