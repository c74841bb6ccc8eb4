import type { ObservedLimit, RateAdmission, RateGate, RateRefusal, RateRequest } from '../port/rate-gate.js';
import { assertAmount } from '../rules/assert-amount.js';
import { assertRateLimits, hearLimit } from '../rules/rate-limits.js';
import type { CoordinationClient, ScriptArgument } from './coordination-client.js';

/** For a fleet, on Redis: rules/rate-minute.ts in scripts. */
export class RedisRateGate implements RateGate {
  constructor(
    private readonly client: CoordinationClient,
    private readonly keyPrefix: string,
  ) {}

  async acquire(request: RateRequest): Promise<RateAdmission> {
    const { gate, ticketId, tenantId, tokens, limits, now } = request;
    assertAmount('tokens', tokens);
    assertRateLimits(limits);
    const [reason, retryInMs, percent] = (await this.run('rateAcquire', gate, [
      now,
      ticketId,
      tenantId,
      tokens,
      limits.requestsPerMinute ?? '',
      limits.tokensPerMinute ?? '',
    ])) as [RateRefusal | '', number, string];
    const utilizationPercent = Number(percent);
    return reason === ''
      ? { admitted: true, utilizationPercent }
      : { admitted: false, reason, retryInMs, utilizationPercent };
  }

  async settle({ gate, ticketId, tokens, now }: Parameters<RateGate['settle']>[0]): Promise<void> {
    assertAmount('tokens', tokens);
    await this.run('rateSettle', gate, [now, ticketId, tokens]);
  }

  async cancel({ gate, ticketId, now }: Parameters<RateGate['cancel']>[0]): Promise<void> {
    await this.run('rateCancel', gate, [now, ticketId]);
  }

  async observe({ gate, observed, now }: Parameters<RateGate['observe']>[0]): Promise<void> {
    await this.run('rateObserve', gate, [
      now,
      observed.blockedUntil ?? 0,
      ...encodeHeard(observed.requests, now),
      ...encodeHeard(observed.tokens, now),
    ]);
  }

  private async run(script: string, gate: string, values: readonly ScriptArgument[]): Promise<unknown> {
    const tag = `{${this.keyPrefix}:rate:${gate}}`;
    return this.client.run(script, [`${tag}:tickets`, `${tag}:sums`, `${tag}:waiting`], () => values);
  }
}

function encodeHeard(observed: ObservedLimit | undefined, now: number): ScriptArgument[] {
  if (!observed) return ['', '', ''];
  const { limit, remaining, resetAt } = hearLimit(observed, now);
  return [limit, remaining, resetAt];
}
