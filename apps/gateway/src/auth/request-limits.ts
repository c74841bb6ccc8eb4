import { ProblemError } from '@annals/contracts';
import { CONFIG } from '@annals/runtime';
import { Inject, Injectable } from '@nestjs/common';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { GatewayConfig } from '../config.js';

const WINDOW_SECONDS = 60;
/** Enough for a fleet that starts with an old key behind one address, and too few to load the database. */
export const FAILED_ATTEMPTS_PER_MINUTE = 60;

/** The remaining requests of a key, for the RateLimit headers. */
export interface RateLimitStatus {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Counts requests per key and failed attempts per address, in this process. */
@Injectable()
export class RequestLimits {
  private readonly requestsPerMinute: number;
  private readonly requests: RateLimiterMemory;
  private readonly failures = new RateLimiterMemory({
    points: FAILED_ATTEMPTS_PER_MINUTE,
    duration: WINDOW_SECONDS,
  });

  constructor(@Inject(CONFIG) { limits }: GatewayConfig) {
    this.requestsPerMinute = limits.requestsPerMinute;
    this.requests = new RateLimiterMemory({ points: limits.requestsPerMinute, duration: WINDOW_SECONDS });
  }

  /** Counts one request of a key. Throws `rate_limited` once they are used up. */
  async countRequest(keyId: string): Promise<RateLimitStatus> {
    const result = await consume(this.requests, keyId);
    if (result.consumedPoints > this.requestsPerMinute) {
      throw rateLimited(`This key may send ${this.requestsPerMinute} requests per minute.`, result);
    }
    return {
      limit: this.requestsPerMinute,
      remaining: result.remainingPoints,
      resetSeconds: Math.ceil(result.msBeforeNext / 1_000),
    };
  }

  /** Throws `rate_limited` for an address with too many failed attempts. */
  async checkAddress(address: string): Promise<void> {
    const result = await this.failures.get(address);
    if (result && result.consumedPoints >= FAILED_ATTEMPTS_PER_MINUTE) {
      throw rateLimited('Too many requests with an invalid API key came from this address.', result);
    }
  }

  async countFailure(address: string): Promise<void> {
    await consume(this.failures, address);
  }
}

/** rate-limiter-flexible rejects with the result itself, which is no error. */
async function consume(limiter: RateLimiterMemory, key: string): Promise<RateLimiterRes> {
  return limiter.consume(key).catch((result: RateLimiterRes) => result);
}

function rateLimited(why: string, { msBeforeNext }: RateLimiterRes): ProblemError {
  const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
  return new ProblemError('rate_limited', `${why} Wait ${retryAfterSeconds} s.`, { retryAfterSeconds });
}
