import type { Clock } from '@annals/domain';
import { type HeaderNames, parseRateLimits } from '../../provider/parse-limit-headers.js';
import type { StreamHandlers } from '../../provider/llm-provider.js';
import type { RateLimitReport, TokenUsage } from '../../provider/llm-response.js';

/** Why an answer ended; `refused` by the model or by a content filter. */
export type AnswerFinishReason = 'stop' | 'length' | 'refused';

/** The part of an answer received so far. Tool calls and thinking are not included. */
export class ReceivedAnswer {
  text = '';
  /** Undefined until the answer is complete. */
  end: AnswerFinishReason | undefined;
  usage: TokenUsage | undefined;
  rateLimits: RateLimitReport | undefined;
  providerRequestId: string | undefined;
  firstTokenMs: number | undefined;
  private sentAt: number;

  constructor(
    private readonly clock: Clock,
    private readonly handlers?: StreamHandlers,
  ) {
    this.sentAt = clock.monotonicNow();
  }

  get isStreamed(): boolean {
    return this.handlers !== undefined;
  }

  /** Restarts the measurement of the time to the first token. */
  markSent(): void {
    this.sentAt = this.clock.monotonicNow();
  }

  readHeaders(
    { response, request_id: requestId }: { response: Response; request_id: string | null | undefined },
    names: HeaderNames,
    now: number,
  ): void {
    this.rateLimits = parseRateLimits(response.headers, names, now);
    this.providerRequestId = requestId ?? undefined;
  }

  addText(chunk: string): void {
    if (chunk === '') return;
    this.text += chunk;
    if (!this.handlers) return;
    if (this.firstTokenMs === undefined) {
      this.firstTokenMs = this.clock.monotonicNow() - this.sentAt;
      this.handlers.onFirstToken?.(this.firstTokenMs);
    }
    this.handlers.onText(chunk);
  }
}
