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
import { overestimateTokens } from '../../tokens/estimate-tokens.js';
import { CallPricing } from './call-pricing.js';
import { getEndpointCapabilities } from './endpoint-capabilities.js';
import type { EndpointCapabilities, Rejection, RequestPlan } from './endpoint-capabilities.js';
import { inspectModel } from './inspect-model.js';
import type { ModelsApi } from './inspect-model.js';
import { listPromptTexts } from './list-prompt-texts.js';
import { ReceivedAnswer } from './received-answer.js';
import type { RemoteProviderOptions } from './remote-provider-options.js';

/** Reads the response body after its headers. */
export type ReadBody = () => Promise<void>;

/** An inspection must not delay startup for as long as a call may take. */
const MAX_INSPECTION_MS = 10_000;

/**
 * Base class of remote providers: one deadline for a whole call, discovery of endpoint capabilities, prices, and errors
 * that include their cost. The subclasses implement their API.
 */
export abstract class RemoteProvider implements LLMProvider {
  readonly model: string;
  protected readonly capabilities: EndpointCapabilities;
  private readonly pricing: CallPricing;

  constructor(
    readonly name: 'claude' | 'openai',
    protected readonly options: RemoteProviderOptions & { isFree: boolean; baseUrl: string },
    modes: readonly StructuredOutputMode[],
  ) {
    const { model, baseUrl, catalog, clock, isFree } = options;
    this.model = model;
    this.pricing = new CallPricing({ provider: name, model }, catalog, clock, isFree);
    this.capabilities = getEndpointCapabilities(baseUrl, model, modes);
  }

  /** Sends a request; resolves when the endpoint has accepted it. */
  protected abstract requestOnce(
    request: LLMRequest,
    plan: RequestPlan,
    received: ReceivedAnswer,
    signal: AbortSignal,
  ): Promise<ReadBody>;
  protected abstract parseRejection(error: unknown, plan: RequestPlan): Rejection | undefined;
  protected abstract mapError(error: unknown): LLMError;
  protected abstract createModelsApi(signal: AbortSignal): Pick<ModelsApi, 'retrieve' | 'list'>;
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
      ...this.createModelsApi(limited),
    });
  }

  private async call(request: LLMRequest, received: ReceivedAnswer): Promise<LLMResponse> {
    request.signal.throwIfAborted();
    // The SDKs' own timeouts end with the response headers; a stalled body would never time out.
    const deadline = AbortSignal.timeout(this.options.timeoutMs);
    const signal = AbortSignal.any([request.signal, deadline]);
    try {
      const readBody = await this.capabilities.send(
        (plan) => {
          received.markSent();
          return this.requestOnce(request, plan, received, signal);
        },
        (error, plan) => this.parseRejection(error, plan),
        signal,
      );
      await readBody();
      // An aborted stream ends without an error, like a complete one.
      signal.throwIfAborted();
      return this.buildResponse(request, received);
    } catch (thrown) {
      const error = getAbortError(request.signal) ?? thrown;
      // The answer is complete: only the end of the stream is missing, and perhaps the usage, which is then estimated.
      if (received.end !== undefined && !(error instanceof LLMError)) return this.buildResponse(request, received);
      throw this.buildCallError(error, deadline.aborted, request, received);
    }
  }

  private buildResponse(request: LLMRequest, received: ReceivedAnswer): LLMResponse {
    const { text, end, firstTokenMs } = received;
    if (end === undefined) {
      throw new LLMError('transient', `${this.name} ended its answer early.`, { provider: this.name });
    }
    const usage = received.usage ?? this.estimateUsage(request, received);
    const details = {
      usage,
      costMicroUsd: this.estimateCost(usage),
      ...pickHeaderDetails(received),
    };
    if (end === 'refused') {
      const message = `${this.name} refused to answer: its content policy rejects this conversation.`;
      throw new LLMError('policy', message, { provider: this.name, ...details });
    }
    return {
      text,
      provider: this.name,
      model: this.model,
      finishReason: end,
      ...details,
      ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
    };
  }

  /**
   * Builds the error of a failed call, with its possible cost. Calls rejected with a status and calls never sent cost
   * nothing. For all others the provider reports no cost, and the budget must not end below the bill: the maximum
   * output is charged, and the reported input tokens or, without these, the maximum input.
   */
  private buildCallError(error: unknown, isLate: boolean, request: LLMRequest, received: ReceivedAnswer): LLMError {
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
      ...pickHeaderDetails(received),
    });
  }

  /** Estimates usage that the provider did not report; rather too high than too low. */
  private estimateUsage(request: LLMRequest, { text, usage }: ReceivedAnswer): TokenUsage {
    const sent = listPromptTexts(request).reduce((total, part) => total + this.overestimateTokens(part), 0);
    return {
      ...usage,
      inputTokens: usage?.inputTokens ?? sent,
      outputTokens: Math.max(this.overestimateTokens(text), usage?.outputTokens ?? 0),
      estimated: true,
    };
  }

  private overestimateTokens(text: string): number {
    return Math.max(this.estimateTokens(text), overestimateTokens(text));
  }
}

/**
 * Returns the LLMError with which the signal was aborted; undefined if it is not aborted. @throws any other abort
 * reason
 */
function getAbortError(signal: AbortSignal): LLMError | undefined {
  if (signal.aborted && !(signal.reason instanceof LLMError)) throw signal.reason;
  return signal.aborted ? (signal.reason as LLMError) : undefined;
}

function pickHeaderDetails({ rateLimits, providerRequestId }: ReceivedAnswer): LLMErrorDetails {
  return { ...(rateLimits ? { rateLimits } : {}), ...(providerRequestId ? { providerRequestId } : {}) };
}
