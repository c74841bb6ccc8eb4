import { ConfigError } from '@annals/config';
import type { Clock } from '@annals/domain';
import type { LLMRequest } from '../../provider/llm-request.js';
import type { TokenUsage } from '../../provider/llm-response.js';
import type { PricedModel, PricingCatalog } from '../../pricing/pricing-catalog.js';
import { listPromptTexts } from './build-turns.js';

/** For roles, field names and what a provider adds around a prompt; more than any provider was observed to add. */
const PROTOCOL_OVERHEAD_BYTES = 1_000;

/** Cost of calls to one model, in integer micro-USD; 0 if they are free. */
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

// Names the variable instead of its value, which may be a key that was configured in the wrong variable.
function createUnpricedModelError({ provider }: PricedModel): ConfigError {
  const variable = 'MEMORY_LLM_PRICING_CATALOG';
  const free = provider === 'openai' ? ' or, if its server is free of charge, set MEMORY_LLM_OPENAI_FREE=true' : '';
  const message = `No price is known for the model in MEMORY_LLM_${provider.toUpperCase()}_MODEL, so its budget cannot be enforced: add its price to the file in ${variable}${free}.`;
  return new ConfigError([{ variable, message }]);
}
