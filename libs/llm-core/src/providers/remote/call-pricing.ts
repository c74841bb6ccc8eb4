import { ConfigError } from '@annals/config';
import type { Clock } from '@annals/domain';
import type { LLMRequest } from '../../provider/llm-request.js';
import type { TokenUsage } from '../../provider/token-usage.js';
import type { PricedModel, PricingCatalog } from '../../pricing/pricing-catalog.js';
import { listPromptTexts } from './list-prompt-texts.js';

/** For roles, field names and what a provider adds around a prompt; more than any of them was seen to add. */
const PROTOCOL_OVERHEAD_BYTES = 1_000;

/** What calls of one model cost, in whole micro-USD; nothing where they are free. */
export class CallPricing {
  /** @throws ConfigError when the model has no price. */
  constructor(
    private readonly model: PricedModel,
    private readonly catalog: PricingCatalog,
    private readonly clock: Clock,
    private readonly isFree: boolean,
  ) {
    if (!isFree && !catalog.has(model)) throw createUnpricedModelError(model);
  }

  estimateCost(usage: TokenUsage): number {
    return this.isFree ? 0 : this.catalog.price(this.model, usage, this.clock.now());
  }

  estimateMaxCost(request: LLMRequest): number {
    if (this.isFree) return 0;
    const inputBytes = listPromptTexts(request).reduce(
      (total, text) => total + Buffer.byteLength(text),
      PROTOCOL_OVERHEAD_BYTES,
    );
    return this.catalog.maxPrice(
      this.model,
      { inputBytes, maxOutputTokens: request.maxOutputTokens },
      this.clock.now(),
    );
  }
}

// By the variable's name: what stands in it may be a key that was put into the wrong place.
function createUnpricedModelError({ provider }: PricedModel): ConfigError {
  const variable = 'MEMORY_LLM_PRICING_CATALOG';
  const free = provider === 'openai' ? ' or, when its server charges nothing, set MEMORY_LLM_OPENAI_FREE=true' : '';
  const message = `No price is known for the model that MEMORY_LLM_${provider.toUpperCase()}_MODEL names, so its budget could not be kept: add it to a file named by ${variable}${free}.`;
  return new ConfigError([{ variable, message }]);
}
