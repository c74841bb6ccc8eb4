import type { Config } from '@annals/config';
import type { LimitedModel, ModelLimits } from '../model-calls/model-limits.js';

/** A worker that reports nothing for so long beyond a call's time limit is dead, and its probe has failed. */
const PROBE_GRACE_MS = 30_000;

/** What binds the calls of remote models, as configured. A process that only embeds needs no `llm`. */
export function createModelLimits(config: Config<'budgets' | 'circuit'> & Partial<Config<'llm'>>): ModelLimits {
  const { budgets, circuit, llm } = config;
  return {
    spending: budgets,
    models: (llm?.chain ?? []).flatMap((model): LimitedModel[] =>
      model.provider === 'local' ? [] : [{ provider: model.provider, model: model.model, rates: model.rates }],
    ),
    breaker: { ...circuit, ...(llm ? { probeLeaseMs: llm.timeoutMs + PROBE_GRACE_MS } : {}) },
  };
}
