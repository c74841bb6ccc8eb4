import type { ModelApi } from './fake-request.js';
import { renderDuration } from './failure.js';

export interface RateLimits {
  requestsPerMinute: number;
  tokensPerMinute: number;
  /** Responds with 429 beyond the limits; otherwise they are only reported. */
  isEnforced?: boolean;
}

const WINDOW_MS = 60_000;

/** Counts the requests and tokens of the current minute, and renders them as the providers' headers. */
export class RateWindow {
  private startedAt = -Infinity;
  private requests = 0;
  private tokens = 0;

  constructor(
    private readonly limits: RateLimits,
    private readonly now: () => number,
  ) {}

  /** Counts a request; false when it exceeds the limits and they are enforced. */
  admit(tokens: number): boolean {
    this.rollWindow();
    const fits = this.requests < this.limits.requestsPerMinute && this.tokens + tokens <= this.limits.tokensPerMinute;
    if (!fits && this.limits.isEnforced) return false;
    this.requests += 1;
    this.tokens += tokens;
    return true;
  }

  get msToReset(): number {
    return Math.max(0, this.startedAt + WINDOW_MS - this.now());
  }

  describe(api: ModelApi): Record<string, string> {
    const { requestsPerMinute, tokensPerMinute } = this.limits;
    const requestsLeft = Math.max(0, requestsPerMinute - this.requests);
    const tokensLeft = Math.max(0, tokensPerMinute - this.tokens);
    if (api === 'openai') {
      return {
        'x-ratelimit-limit-requests': `${requestsPerMinute}`,
        'x-ratelimit-limit-tokens': `${tokensPerMinute}`,
        'x-ratelimit-remaining-requests': `${requestsLeft}`,
        'x-ratelimit-remaining-tokens': `${tokensLeft}`,
        'x-ratelimit-reset-requests': renderDuration(this.msToReset),
        'x-ratelimit-reset-tokens': renderDuration(this.msToReset),
      };
    }
    const reset = new Date(this.now() + this.msToReset).toISOString().replace(/\.\d+Z$/, 'Z');
    const rows = { requests: [requestsPerMinute, requestsLeft], tokens: [tokensPerMinute, tokensLeft] };
    const all = { ...rows, 'input-tokens': rows.tokens, 'output-tokens': rows.tokens };
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, [limit, left]]) => [
        [`anthropic-ratelimit-${name}-limit`, `${limit}`],
        [`anthropic-ratelimit-${name}-remaining`, `${left}`],
        [`anthropic-ratelimit-${name}-reset`, reset],
      ]),
    ) as Record<string, string>;
  }

  private rollWindow(): void {
    if (this.now() < this.startedAt + WINDOW_MS) return;
    this.startedAt = this.now();
    this.requests = 0;
    this.tokens = 0;
  }
}
