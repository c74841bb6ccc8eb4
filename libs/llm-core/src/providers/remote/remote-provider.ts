import { addDetails } from '../../provider/add-details.js';
import { LLMError } from '../../provider/llm-error.js';
import type { LLMErrorDetails } from '../../provider/llm-error.js';
import type {
  LLMProvider,
  ProviderCapabilities,
  ProviderInspection,
  StreamHandlers,
  StructuredOutputMode,
} from '../../provider/llm-provider.js';
import type { LLMRequest } from '../../provider/llm-request.js';
import type { LLMResponse } from '../../provider/llm-response.js';
import type { TokenUsage } from '../../provider/token-usage.js';
import { guessTokens } from '../../tokens/estimate-tokens.js';
import { CallPricing } from './call-pricing.js';
import { findEndpointTraits } from './endpoint-traits.js';
import type { EndpointTraits, Refusal, RequestPlan } from './endpoint-traits.js';
import { inspectModel } from './inspect-model.js';
import type { ModelShelf } from './inspect-model.js';
import { listSentTexts } from './list-sent-texts.js';
import { ReceivedAnswer } from './received-answer.js';
import type { RemoteProviderOptions } from './remote-provider-options.js';

/** Reads what is left of an answer after its headers. */
export type ReadRest = () => Promise<void>;

/** Looking at a provider must not hold up a start for as long as a call may take. */
const MAX_INSPECTION_MS = 10_000;

/**
 * What the providers behind a network have in common: one deadline for a whole call, learning what the endpoint takes,
 * prices, and failures that say what they cost. The subclasses know their API.
 */
export abstract class RemoteProvider implements LLMProvider {
  readonly model: string;
  protected readonly traits: EndpointTraits;
  private readonly pricing: CallPricing;

  constructor(
    readonly name: 'claude' | 'openai',
    protected readonly options: RemoteProviderOptions & { isFree: boolean; baseUrl: string },
    modes: readonly StructuredOutputMode[],
  ) {
    const { model, baseUrl, catalog, clock, isFree } = options;
    this.model = model;
    this.pricing = new CallPricing({ provider: name, model }, catalog, clock, isFree);
    this.traits = findEndpointTraits(baseUrl, model, modes);
  }

  /** Sends a request; resolves when the endpoint took it. */
  protected abstract ask(
    request: LLMRequest,
    plan: RequestPlan,
    received: ReceivedAnswer,
    signal: AbortSignal,
  ): Promise<ReadRest>;
  protected abstract readRefusal(error: unknown, plan: RequestPlan): Refusal | undefined;
  protected abstract mapError(error: unknown): LLMError;
  protected abstract openShelf(signal: AbortSignal): Pick<ModelShelf, 'retrieve' | 'list'>;
  abstract countTokens(text: string): Promise<number>;
  abstract estimateTokens(text: string): number;
  abstract getCapabilities(): ProviderCapabilities;

  send(request: LLMRequest): Promise<LLMResponse> {
    return this.call(request, new ReceivedAnswer(undefined));
  }

  stream(request: LLMRequest, handlers: StreamHandlers): Promise<LLMResponse> {
    return this.call(request, new ReceivedAnswer(handlers));
  }

  estimateCost(usage: TokenUsage): number {
    return this.pricing.estimateCost(usage);
  }

  estimateMaxCost(request: LLMRequest): number {
    return this.pricing.estimateMaxCost(request);
  }

  async validateConfig(): Promise<boolean> {
    return (await this.inspect(new AbortController().signal)).usable;
  }

  inspect(signal: AbortSignal): Promise<ProviderInspection> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_INSPECTION_MS)]);
    return inspectModel({
      provider: this.name,
      model: this.model,
      now: this.options.clock.now(),
      mapError: (error) => this.mapError(error),
      ...this.openShelf(limited),
    });
  }

  private async call(request: LLMRequest, received: ReceivedAnswer): Promise<LLMResponse> {
    request.signal.throwIfAborted();
    // The SDKs' own timeouts end with the response's headers; a body that stalls would hang on.
    const deadline = AbortSignal.timeout(this.options.timeoutMs);
    const signal = AbortSignal.any([request.signal, deadline]);
    try {
      const readRest = await this.traits.send(
        (plan) => {
          received.markSent();
          return this.ask(request, plan, received, signal);
        },
        (error, plan) => this.readRefusal(error, plan),
        signal,
      );
      await readRest();
      // An aborted stream ends as quietly as a complete one.
      signal.throwIfAborted();
      return this.conclude(request, received);
    } catch (thrown) {
      const error = readAbort(request.signal) ?? thrown;
      // The answer is whole: what broke was the farewell, and perhaps the usage, which is estimated then.
      if (received.end !== undefined && !(error instanceof LLMError)) return this.conclude(request, received);
      throw this.describeFailure(error, deadline.aborted, request, received);
    }
  }

  private conclude(request: LLMRequest, received: ReceivedAnswer): LLMResponse {
    const { text, end, firstTokenMs } = received;
    if (end === undefined) {
      throw new LLMError('transient', `${this.name} ended its answer early.`, { provider: this.name });
    }
    const usage = received.usage ?? this.estimateUsage(request, received);
    const facts = {
      usage,
      costMicroUsd: this.estimateCost(usage),
      ...listHeaderFacts(received),
    };
    if (end === 'refused') {
      const message = `${this.name} declined to answer: its content rules refuse this conversation.`;
      throw new LLMError('policy', message, { provider: this.name, ...facts });
    }
    return {
      text,
      provider: this.name,
      model: this.model,
      finishReason: end,
      ...facts,
      ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
    };
  }

  /**
   * A failed call with what it may cost. Refused with a status or never sent: nothing. Else nobody will say what was
   * charged, and the budget must not end below the bill: the whole output counts, and the input as far as it is known.
   */
  private describeFailure(error: unknown, isLate: boolean, request: LLMRequest, received: ReceivedAnswer): LLMError {
    const failure = isLate
      ? new LLMError('timeout', `${this.name} did not answer in time.`, { provider: this.name })
      : this.mapError(error);
    if (failure.usage || failure.status !== undefined || failure.sent === false) return failure;
    const known = received.usage;
    const costMicroUsd = known
      ? this.estimateCost({ ...known, outputTokens: Math.max(known.outputTokens, request.maxOutputTokens) })
      : this.estimateMaxCost(request);
    return addDetails(failure, {
      usage: this.estimateUsage(request, received),
      costMicroUsd,
      ...listHeaderFacts(received),
    });
  }

  /** What was used, where the provider does not tell; rather too much than too little. */
  private estimateUsage(request: LLMRequest, { text, usage }: ReceivedAnswer): TokenUsage {
    const sent = listSentTexts(request).reduce((total, part) => total + this.guessTokens(part), 0);
    return {
      ...usage,
      inputTokens: usage?.inputTokens ?? sent,
      outputTokens: Math.max(this.guessTokens(text), usage?.outputTokens ?? 0),
      estimated: true,
    };
  }

  private guessTokens(text: string): number {
    return Math.max(this.estimateTokens(text), guessTokens(text));
  }
}

/** Undefined for a signal that is not aborted, and the error of ours it was aborted with. @throws any other reason */
function readAbort(signal: AbortSignal): LLMError | undefined {
  if (signal.aborted && !(signal.reason instanceof LLMError)) throw signal.reason;
  return signal.aborted ? (signal.reason as LLMError) : undefined;
}

function listHeaderFacts({ rateLimits, providerRequestId }: ReceivedAnswer): LLMErrorDetails {
  return { ...(rateLimits ? { rateLimits } : {}), ...(providerRequestId ? { providerRequestId } : {}) };
}
