import type { StreamHandlers } from '../../provider/llm-provider.js';
import type { RateLimitReport } from '../../provider/rate-limit-report.js';
import type { TokenUsage } from '../../provider/token-usage.js';

/** Why an answer ended; `refused` by the model or by a content filter. */
export type AnswerFinishReason = 'stop' | 'length' | 'refused';

/** What has come of an answer so far. Tool calls and thinking are never put into it. */
export class ReceivedAnswer {
  text = '';
  /** Undefined until the answer is complete. */
  end: AnswerFinishReason | undefined;
  usage: TokenUsage | undefined;
  rateLimits: RateLimitReport | undefined;
  providerRequestId: string | undefined;
  firstTokenMs: number | undefined;
  private sentAt = performance.now();

  constructor(private readonly handlers: StreamHandlers | undefined) {}

  get isStreamed(): boolean {
    return this.handlers !== undefined;
  }

  /** A request goes out. */
  markSent(): void {
    this.sentAt = performance.now();
  }

  addText(piece: string): void {
    if (piece === '') return;
    this.text += piece;
    if (!this.handlers) return;
    if (this.firstTokenMs === undefined) {
      this.firstTokenMs = performance.now() - this.sentAt;
      this.handlers.onFirstToken?.(this.firstTokenMs);
    }
    this.handlers.onText(piece);
  }
}
