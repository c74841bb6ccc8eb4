import type { LLMProvider } from '@annals/llm-core';
import type { ChainLink } from './next-step.js';

/** The primary, then its fallbacks. */
export type ModelChain = readonly [LLMProvider, ...LLMProvider[]];

/** @throws Error for a chain without a provider */
export function toModelChain([primary, ...fallbacks]: readonly LLMProvider[]): ModelChain {
  if (!primary) throw new Error('There is no provider to extract with.');
  return [primary, ...fallbacks];
}

export function isRemote(provider: LLMProvider): boolean {
  return provider.getCapabilities().remote;
}

/** What the ledger knows a provider's calls by. */
export function toLink({ name, model }: LLMProvider): ChainLink {
  return { provider: name, model };
}

/** The most input tokens that every remote provider of the chain takes. */
export function findInputLimit(chain: ModelChain): number {
  const limits = chain.map((provider) => provider.getCapabilities()).filter(({ remote }) => remote);
  return Math.min(...limits.map(({ maxInputTokens }) => maxInputTokens));
}
