import type { Config } from '@annals/config';
import type { LimitedModel, ModelLimits } from './model-limits.js';

/** The fragments that say which remote models a process calls, and what binds it; a process loads those it needs. */
export type ModelsConfig = Partial<Config<'llm' | 'embeddings' | 'rerank' | 'budgets' | 'circuit'>>;

/** A worker that says nothing for so long beyond the time of a call is dead, and its probe has failed. */
const PROBE_GRACE_MS = 30_000;

/** What binds this process's calls of remote models; null when everything it asks is inside the process. */
export function readModelLimits(config: ModelsConfig): ModelLimits | null {
  const models = [...listExtractionModels(config), ...listEmbeddingModels(config), ...listRerankModels(config)];
  if (models.length === 0) return null;
  const { budgets, circuit, llm } = config;
  if (!budgets || !circuit) throw new Error('A process that calls remote models loads "budgets" and "circuit".');
  const probeLease = llm ? { probeLeaseMs: llm.timeoutMs + PROBE_GRACE_MS } : {};
  const { settlingMarginMs, ...spending } = budgets;
  return { models, spending, breaker: { ...circuit, ...probeLease }, settlingMarginMs };
}

function listExtractionModels({ llm }: ModelsConfig): LimitedModel[] {
  return (llm?.chain ?? []).flatMap((each) =>
    each.provider === 'local' ? [] : [{ provider: each.provider, model: each.model, rates: each.rates }],
  );
}

/** Embedding servers are paced by their own headers: their limits are mostly far above what memories need. */
function listEmbeddingModels({ embeddings }: ModelsConfig): LimitedModel[] {
  if (embeddings === undefined || embeddings.kind === 'hashed') return [];
  const { model, dimensions } = embeddings;
  const rates = { requestsPerMinute: null, tokensPerMinute: null };
  return [{ provider: embeddings.kind, model: `${model}-${dimensions}`, rates }];
}

/** Paced by the server's own answers, like embeddings. */
function listRerankModels({ rerank }: ModelsConfig): LimitedModel[] {
  if (rerank === undefined || rerank.model.kind !== 'http') return [];
  const rates = { requestsPerMinute: null, tokensPerMinute: null };
  return [{ provider: 'rerank', model: rerank.model.model, rates }];
}
