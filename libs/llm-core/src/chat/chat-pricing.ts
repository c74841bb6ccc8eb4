import type { Clock } from '@annals/domain';
import type { CallSize, PricedModel, PricingCatalog } from '../pricing/pricing-catalog.js';
import type { TokenUsage } from '../provider/llm-response.js';
import type { ChatView } from './read-chat-body.js';

/** Tokens of content that a request only points to, at most: of an image, and of a file, which fills a context window. */
const TOKENS_OF_IMAGE = 40_000;
const TOKENS_OF_FILE = 1_000_000;

/** Of each surcharge, at most. */
const DEAR_FACTOR = 2;

/** What chat completions cost, and how much at most, in integer micro-USD. */
export class ChatPricing {
  constructor(
    private readonly catalog: PricingCatalog,
    private readonly clock: Clock,
  ) {}

  has(model: PricedModel): boolean {
    return this.catalog.has(model);
  }

  /** See docs/reference/budgets.md#upper-bound-of-a-call. `size.maxOutputTokens` is that of one answer. */
  bound(model: PricedModel, view: ChatView, size: CallSize): number {
    const inputBytes = size.inputBytes + view.images * TOKENS_OF_IMAGE + view.files * TOKENS_OF_FILE;
    const maxOutputTokens = size.maxOutputTokens * view.choices;
    return factorOf(view) * this.catalog.maxPrice(model, { inputBytes, maxOutputTokens }, this.clock.now());
  }

  cost(model: PricedModel, usage: TokenUsage, view: ChatView): number {
    return factorOf(view) * this.catalog.price(model, usage, this.clock.now());
  }
}

function factorOf({ surcharges }: ChatView): number {
  return DEAR_FACTOR ** surcharges;
}
