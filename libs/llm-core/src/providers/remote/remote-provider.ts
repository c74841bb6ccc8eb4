import { type Clock, startDeadline } from '@annals/domain';
import type { PricingCatalog } from '../../pricing/pricing-catalog.js';
import { addDetails, LLMError, type LLMErrorDetails } from '../../provider/llm-error.js';
import type {
  LLMProvider,
  ProviderCapabilities,
  ProviderInspection,
  StreamHandlers,
  StructuredOutputMode,
} from '../../provider/llm-provider.js';
import { loadSdk } from '../../provider/load-sdk.js';
import type { LLMRequest } from '../../provider/llm-request.js';
import type { LLMResponse, TokenUsage } from '../../provider/llm-response.js';
import { overestimateTokens } from '../../tokens/count-tokens.js';
import { listPromptTexts } from './build-turns.js';
import { CallPricing } from './call-pricing.js';
import {
  type EndpointCapabilities,
  getEndpointCapabilities,
  type Rejection,
  type RequestPlan,
} from './endpoint-capabilities.js';
import { describeFailedInspection, inspectModel, type ModelsApi } from './inspect-model.js';
import { ReceivedAnswer } from './received-answer.js';

/** Options of every remote provider. */
export interface RemoteProviderOptions {
  apiKey: string;
  model: string;
  /** Default: the official API. */
  baseUrl?: string;
  /** Timeout of one call in ms, from sending to the end of the answer. */
  timeoutMs: number;
  catalog: PricingCatalog;
  clock: Clock;
}

/** Reads the response body after its headers. */
export type ReadBody = () => Promise<void>;

/** An inspection must not delay startup for as long as a call may take. */
const MAX_INSPECTION_MS = 10_000;

export type RemoteOptions = RemoteProviderOptions & { isFree: boolean; baseUrl: string };

/** The API of a provider, over its SDK: in a module of its own, so that a process loads the SDKs of its providers only. */
export interface RemoteApi {
  /** Sends a request; resolves when the endpoint has accepted it. */
  request(request: LLMRequest, plan: RequestPlan, received: ReceivedAnswer, signal: AbortSignal): Promise<ReadBody>;
  parseRejection(error: unknown, plan: RequestPlan): Rejection | undefined;
  mapError(error: unknown): LLMError;
  createModelsApi(signal: AbortSignal): Pick<ModelsApi, 'retrieve' | 'list'>;
}

/**
 * Base class of remote providers: one deadline for a whole call, discovery of endpoint capabilities, prices, and errors
 * that include their cost. `api` is loaded from the moment that the provider is created.
 */
export abstract class RemoteProvider<Api extends RemoteApi = RemoteApi> implements LLMProvider {
  readonly model: string;
  protected readonly api: Promise<Api>;
  private readonly capabilities: EndpointCapabilities;
  private readonly pricing: CallPricing;

  constructor(
    readonly name: 'claude' | 'openai',
    private readonly options: RemoteOptions,
    modes: readonly StructuredOutputMode[],
    loadApi: () => Promise<Api>,
  ) {
    const { model, baseUrl, catalog, clock, isFree } = options;
    this.model = model;
    this.pricing = new CallPricing({ provider: name, model }, catalog, clock, isFree);
    this.capabilities = getEndpointCapabilities(baseUrl, model, modes);
    this.api = loadSdk(name, loadApi);
  }

  abstract countTokens(text: string): Promise<number>;
  abstract estimateTokens(text: string): number;
  abstract getCapabilities(): ProviderCapabilities;

  protected describeCapabilities(
    { maxInputTokens, maxOutputTokens }: Pick<ProviderCapabilities, 'maxInputTokens' | 'maxOutputTokens'>,
    promptCaching: boolean,
  ): ProviderCapabilities {
    return {
      streaming: true,
      remote: true,
      languages: 'any',
      maxInputTokens,
      maxOutputTokens,
      structuredOutput: this.capabilities.mode,
      promptCaching,
    };
  }

  send(request: LLMRequest): Promise<LLMResponse> {
    return this.call(request, new ReceivedAnswer(this.options.clock));
  }

  stream(request: LLMRequest, handlers: StreamHandlers): Promise<LLMResponse> {
    return this.call(request, new ReceivedAnswer(this.options.clock, handlers));
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

  async inspect(signal: AbortSignal): Promise<ProviderInspection> {
    const api = await this.api.catch((error: LLMError) => error);
    if (api instanceof LLMError) return describeFailedInspection({ provider: this.name }, api);
    const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_INSPECTION_MS)]);
    return inspectModel({
      provider: this.name,
      model: this.model,
      now: this.options.clock.now(),
      mapError: (error) => api.mapError(error),
      ...api.createModelsApi(limited),
    });
  }

  private async call(request: LLMRequest, received: ReceivedAnswer): Promise<LLMResponse> {
    request.signal.throwIfAborted();
    const api = await this.api;
    // The SDKs' own timeouts end with the response headers; a stalled body would never time out.
    const deadline = startDeadline(this.options.clock, this.options.timeoutMs, () => this.createTimeout());
    const signal = AbortSignal.any([request.signal, deadline.signal]);
    try {
      const readBody = await this.capabilities.send(
        (plan) => {
          received.markSent();
          return api.request(request, plan, received, signal);
        },
        (error, plan) => api.parseRejection(error, plan),
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
      const failure = deadline.signal.aborted ? this.createTimeout() : api.mapError(error);
      throw this.addCost(failure, request, received);
    } finally {
      deadline.timer.stop();
    }
  }

  private createTimeout(): LLMError {
    return new LLMError('timeout', `${this.name} did not answer in time.`, { provider: this.name });
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
   * Adds the possible cost to the error of a call. Calls rejected with a status and calls never sent cost nothing. For
   * all others the provider reports no cost, and the budget must not end below the bill: the maximum output is charged,
   * and the reported input tokens or, without these, the maximum input.
   */
  private addCost(failure: LLMError, request: LLMRequest, received: ReceivedAnswer): LLMError {
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

/** The LLMError with which the signal was aborted, if it was. @throws any other abort reason */
function getAbortError(signal: AbortSignal): LLMError | undefined {
  if (signal.aborted && !(signal.reason instanceof LLMError)) throw signal.reason;
  return signal.aborted ? (signal.reason as LLMError) : undefined;
}

function pickHeaderDetails({ rateLimits, providerRequestId }: ReceivedAnswer): LLMErrorDetails {
  return { ...(rateLimits ? { rateLimits } : {}), ...(providerRequestId ? { providerRequestId } : {}) };
}
