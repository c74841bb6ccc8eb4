import { ProblemError } from '@annals/contracts';
import { CONFIG } from '@annals/runtime';
import { Inject, Injectable } from '@nestjs/common';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { GatewayConfig } from '../config.js';

const WINDOW_SECONDS = 60;
/** Enough for a fleet that starts with an old key behind one address, and too few to load the database. */
export const FAILED_ATTEMPTS_PER_MINUTE = 60;

/** What remains of one allowance of a key in its current window, for the RateLimit headers. */
export interface Allowance {
  /** Bytes are those of request bodies. */
  readonly of: 'requests' | 'bytes';
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  /** Length of the window. */
  readonly windowSeconds: number;
}

/** A key's allowances after a request, and the refusal of a request that exceeds one of them. */
export interface Admission {
  readonly allowances: readonly Allowance[];
  readonly refusal: { readonly limit: Allowance['of']; readonly problem: ProblemError } | null;
}

/**
 * Counts requests and bytes per key, and failed attempts per address, in this process
 * (docs/reference/request-limits.md#requests-and-bytes-per-minute).
 */
@Injectable()
export class RequestLimits {
  private readonly requestsPerMinute: number;
  private readonly bytesPerMinute: number;
  private readonly requests: RateLimiterMemory;
  private readonly bytes: RateLimiterMemory;
  private readonly failures = new RateLimiterMemory({
    points: FAILED_ATTEMPTS_PER_MINUTE,
    duration: WINDOW_SECONDS,
  });

  constructor(@Inject(CONFIG) { limits }: GatewayConfig) {
    this.requestsPerMinute = limits.requestsPerMinute;
    this.bytesPerMinute = limits.bytesPerMinute;
    this.requests = new RateLimiterMemory({ points: limits.requestsPerMinute, duration: WINDOW_SECONDS });
    this.bytes = new RateLimiterMemory({ points: limits.bytesPerMinute, duration: WINDOW_SECONDS });
  }

  /** Counts one request of a key, before its body is read. */
  async countRequest(keyId: string): Promise<Admission> {
    const result = await consume(this.requests, keyId);
    const allowances = [
      describeAllowance('requests', this.requestsPerMinute, result),
      describeAllowance('bytes', this.bytesPerMinute, await this.bytes.get(keyId)),
    ];
    if (result.consumedPoints <= this.requestsPerMinute) return { allowances, refusal: null };
    const problem = rateLimited(`This key may send ${this.requestsPerMinute} requests per minute.`, result);
    return { allowances, refusal: { limit: 'requests', problem } };
  }

  /** Counts the body of a request that was counted. The bytes of a refused one are not counted. */
  async countBytes(keyId: string, bytes: number): Promise<Admission> {
    const requests = describeAllowance('requests', this.requestsPerMinute, await this.requests.get(keyId));
    const result = await consume(this.bytes, keyId, bytes);
    const isWithin = result.consumedPoints <= this.bytesPerMinute;
    const counted = isWithin ? result : await this.bytes.reward(keyId, bytes);
    const remaining = Math.max(0, this.bytesPerMinute - counted.consumedPoints);
    const allowances = [requests, { ...describeAllowance('bytes', this.bytesPerMinute, counted), remaining }];
    if (isWithin) return { allowances, refusal: null };
    const limit = `This key may send ${this.bytesPerMinute} bytes in request bodies per minute`;
    const why = `${limit}; ${remaining} remain, and this body has ${bytes}.`;
    return { allowances, refusal: { limit: 'bytes', problem: rateLimited(why, counted) } };
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
async function consume(limiter: RateLimiterMemory, key: string, points = 1): Promise<RateLimiterRes> {
  return limiter.consume(key, points).catch((result: RateLimiterRes) => result);
}

/** `result` is null when the key has used nothing in this minute. */
function describeAllowance(of: Allowance['of'], limit: number, result: RateLimiterRes | null): Allowance {
  return {
    of,
    limit,
    remaining: result?.remainingPoints ?? limit,
    resetSeconds: result ? Math.ceil(result.msBeforeNext / 1_000) : WINDOW_SECONDS,
    windowSeconds: WINDOW_SECONDS,
  };
}

function rateLimited(why: string, { msBeforeNext }: RateLimiterRes): ProblemError {
  const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
  return new ProblemError('rate_limited', `${why} Wait ${retryAfterSeconds} s.`, { retryAfterSeconds });
}
