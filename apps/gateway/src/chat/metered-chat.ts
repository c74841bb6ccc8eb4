import { ProblemError } from '@annals/contracts';
import {
  type ChatOutcome,
  ChatPricing,
  CoordinationUnavailableError,
  LLMError,
  mapNetworkError,
  estimateTokensByLength,
  typeOfStatus,
} from '@annals/llm-core';
import type { Clock } from '@annals/domain';
import {
  CLOCK,
  CONFIG,
  createPricingCatalog,
  type Invocation,
  MODEL_CALLS,
  type ModelCalls,
  type RefusedCall,
} from '@annals/runtime';
import { Inject, Injectable } from '@nestjs/common';
import type { GatewayConfig } from '../config.js';
import type { ChatInput } from './chat-request.js';
import type { ChosenUpstream } from './chat-upstreams.js';

/** The end of an exchange with the upstream. */
export interface ExchangeEnd {
  readonly status: number;
  readonly outcome: ChatOutcome;
}

interface MeteredExchange {
  readonly tenantId: string;
  readonly userId: string | null;
  readonly input: ChatInput;
  readonly body: Buffer;
  readonly upstream: ChosenUpstream;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
  readonly exchange: (signal: AbortSignal) => Promise<ExchangeEnd>;
}

/** Of models without a price, which a client may name as it likes: metrics and ledger have few names. */
const UNPRICED = 'other';

/** Completions on our key: in the ledger and under the budgets (docs/chat.md#budgets). */
@Injectable()
export class MeteredChat {
  private readonly pricing: ChatPricing;

  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(MODEL_CALLS) private readonly calls: ModelCalls | null,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.pricing = new ChatPricing(createPricingCatalog(config), clock);
  }

  /** Throws `budget_exceeded` and `model_not_priced`; then nothing was sent. */
  async run({ tenantId, userId, input, body, upstream, signal, exchange }: MeteredExchange): Promise<void> {
    const { calls } = this;
    if (calls === null)
      throw new Error('Chat completions on a key of ours need the fragments "budgets" and "circuit".');
    const { provider, billing } = upstream;
    const model = { provider, model: input.view.model };
    const isFree = billing === 'free';
    const bound = isFree ? 0 : this.bound(model, input, body);
    let failure: Error | undefined;
    const result = await calls
      .run<null>({
        tenantId,
        userId,
        batch: null,
        operation: 'chat',
        provider,
        model: this.pricing.has(model) ? model.model : UNPRICED,
        maxCostMicroUsd: bound,
        expectedTokens: estimateTokensByLength(input.text),
        timeoutMs: this.config.chat.timeoutMs,
        signal,
        passesFailuresOn: true,
        invoke: async (ended) => {
          const end = await exchange(ended).catch((error: unknown) => {
            failure = error instanceof Error ? error : new Error('The exchange failed.', { cause: error });
            throw toFailedCall(error, provider);
          });
          return this.settle(end, { model, isFree, bound, input });
        },
      })
      .catch(explainUnavailable);
    if (result.outcome === 'refused') throw this.explainRefusal(result);
    if (result.outcome === 'answered') await result.close('not_written');
    if (failure !== undefined) throw failure;
  }

  private bound(model: Parameters<ChatPricing['has']>[0], { view }: ChatInput, body: Buffer): number {
    if (!this.pricing.has(model)) {
      throw new ProblemError(
        'model_not_priced',
        'No price is known for this model, so the budget cannot be kept: use another one, send a key of your own in X-Annals-Upstream-Key, or ask the operator to add the price (MEMORY_LLM_PRICING_CATALOG).',
        { errors: [{ path: 'body.model', message: 'Name a model with a known price.' }] },
      );
    }
    const unpriced = view.pricedApart;
    if (unpriced !== null) {
      throw new ProblemError(
        'model_not_priced',
        `The price of ${unpriced} is not known, so the budget cannot be kept: leave it out, or send a key of your own in X-Annals-Upstream-Key.`,
        { errors: [{ path: `body.${unpriced}`, message: 'Leave it out.' }] },
      );
    }
    const maxOutputTokens = view.maxOutputTokens ?? this.config.chat.maxOutputTokens;
    return this.pricing.bound(model, view, { inputBytes: body.length, maxOutputTokens });
  }

  /** What the call cost; throws for an answer that is an error, whose cost follows from its status. */
  private settle(
    { status, outcome }: ExchangeEnd,
    {
      model,
      isFree,
      bound,
      input,
    }: { model: Parameters<ChatPricing['has']>[0]; isFree: boolean; bound: number; input: ChatInput },
  ): Invocation<null> {
    if (status >= 300) {
      throw new LLMError(typeOfStatus(status), `The upstream answered a chat completion with status ${status}.`, {
        status,
      });
    }
    const { usage } = outcome;
    if (usage) return { value: null, usage, costMicroUsd: isFree ? 0 : this.pricing.cost(model, usage, input.view) };
    const outputTokens = outcome.texts.reduce((sum, text) => sum + estimateTokensByLength(text), 0);
    const estimate = { inputTokens: estimateTokensByLength(input.text), outputTokens, estimated: true } as const;
    return { value: null, usage: estimate, costMicroUsd: bound };
  }

  private explainRefusal(refusal: RefusedCall): ProblemError {
    if (refusal.why === 'budget' || refusal.why === 'budget_too_small') {
      const hint =
        refusal.why === 'budget_too_small'
          ? 'its upper bound is above the whole budget: name a smaller max_completion_tokens, or raise the budget'
          : `wait until ${new Date(refusal.until).toISOString()}, name a smaller max_completion_tokens, or raise the budget`;
      return new ProblemError(
        'budget_exceeded',
        `The ${refusal.scope} budget for model calls does not allow this completion: ${hint}.`,
      );
    }
    const retryAfterMs = refusal.why === 'rate' ? refusal.retryInMs : refusal.retryAt - this.clock.now();
    return new ProblemError('unavailable', 'The completion cannot be sent now. Send it again.', {
      retryAfterSeconds: Math.max(1, retryAfterMs / 1_000),
    });
  }
}

/** How the ledger has an exchange that failed: a request that never arrived costs nothing. */
function toFailedCall(error: unknown, provider: string): LLMError {
  const cause = error instanceof ProblemError ? error.options.cause : error;
  return cause instanceof LLMError ? cause : mapNetworkError(cause, provider);
}

function explainUnavailable(error: unknown): never {
  if (!(error instanceof CoordinationUnavailableError)) throw error;
  throw new ProblemError(
    'unavailable',
    'The budgets cannot be read right now, so no completion is sent. Send it again.',
    {
      retryAfterSeconds: 2,
      cause: error,
    },
  );
}
