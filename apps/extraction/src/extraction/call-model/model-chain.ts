import type { LLMProvider } from '@annals/llm-core';
import type { ChainLink } from './next-step.js';

/** The primary provider, then its fallbacks. */
export type ModelChain = readonly [LLMProvider, ...LLMProvider[]];

export function toModelChain([primary, ...fallbacks]: readonly LLMProvider[]): ModelChain {
  if (!primary) throw new Error('No provider for extraction is configured.');
  return [primary, ...fallbacks];
}

export function isRemote(provider: LLMProvider): boolean {
  return provider.getCapabilities().remote;
}

/** Provider and model, which identify a provider's calls in the ledger. */
export function toLink({ name, model }: LLMProvider): ChainLink {
  return { provider: name, model };
}

/** The maximum number of input tokens that every remote provider of the chain accepts. */
export function findInputLimit(chain: ModelChain): number {
  const limits = chain.map((provider) => provider.getCapabilities()).filter(({ remote }) => remote);
  return Math.min(...limits.map(({ maxInputTokens }) => maxInputTokens));
}
