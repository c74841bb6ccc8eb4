import { SeededRng } from '@annals/domain';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** A call of a spender. `maxMicroUsd` is the amount that it has reserved. */
export interface ChargeRequest {
  readonly callId: string;
  readonly tenantId: string;
  readonly provider: string;
  readonly maxMicroUsd: number;
  /** The process that calls. */
  readonly pid: number;
}

/** The response to a call: an answer, an unreadable answer, or a refusal that is charged. */
export interface ChargeResponse {
  readonly fate: 'answered' | 'unreadable' | 'refused';
  readonly costMicroUsd: number;
}

interface Charge extends ChargeRequest {
  readonly costMicroUsd: number;
}

/** In micro-USD; null: no limit. */
export interface ReferenceLimits {
  readonly deployment: number;
  readonly tenants: ReadonlyMap<string, number>;
  readonly providers: ReadonlyMap<string, number>;
}

export interface ReferenceLedger {
  readonly url: string;
  /** Every call that was charged, in order of arrival. */
  readonly charges: readonly Charge[];
  /** Ids of all calls that arrived, including those without a charge. */
  readonly arrived: ReadonlySet<string>;
  /** Each charge that exceeded the limit of a budget. */
  readonly overspent: readonly string[];
  /** The sum of charges by budget: `deployment`, a tenant's id, a provider's name. */
  readonly spent: ReadonlyMap<string, number>;
  /** Whether a call of this process waits for its answer. */
  isCalledBy(pid: number): boolean;
  close(): Promise<void>;
}

const MAX_ANSWER_MS = 40;

/**
 * A paid service without budgets, as the oracle of the race: it charges each call before it answers, records the
 * charges, and fails in every way. Its records are what was really spent.
 */
export async function startReferenceLedger(seed: number, limits: ReferenceLimits): Promise<ReferenceLedger> {
  const rng = new SeededRng(seed);
  const charges: Charge[] = [];
  const overspent: string[] = [];
  const spent = new Map<string, number>();
  const arrived = new Set<string>();
  const waiting = new Set<ChargeRequest>();

  const charge = (request: ChargeRequest, costMicroUsd: number): void => {
    if (costMicroUsd === 0) return;
    charges.push({ ...request, costMicroUsd });
    const budgets: [string, number | undefined][] = [
      ['deployment', limits.deployment],
      [request.tenantId, limits.tenants.get(request.tenantId)],
      [request.provider, limits.providers.get(request.provider)],
    ];
    for (const [budget, limit = Infinity] of budgets) {
      const sum = (spent.get(budget) ?? 0) + costMicroUsd;
      spent.set(budget, sum);
      if (sum > limit) overspent.push(`${budget} by ${sum - limit} with ${request.callId}`);
    }
  };

  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = JSON.parse(await text(message)) as ChargeRequest;
    arrived.add(request.callId);
    waiting.add(request);
    response.once('close', () => waiting.delete(request));
    const share = rng.nextFloat() < 0.1 ? 1 : rng.nextFloat();
    const costMicroUsd = Math.floor(request.maxMicroUsd * share);
    const fate = rng.nextFloat();
    const isFailure = fate < 0.1;
    charge(request, isFailure ? 0 : costMicroUsd);
    await sleep(rng.nextFloat() * MAX_ANSWER_MS);
    if (isFailure) response.writeHead(500).end();
    else if (fate < 0.16) response.socket?.destroy();
    else if (fate >= 0.19)
      response.end(JSON.stringify({ fate: pickFate(fate), costMicroUsd } satisfies ChargeResponse));
    // Otherwise the call is charged and never answered.
  };
  const server = createServer((message, response) => {
    serve(message, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    charges,
    arrived,
    overspent,
    spent,
    isCalledBy: (pid) => [...waiting].some((request) => request.pid === pid),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function pickFate(fate: number): ChargeResponse['fate'] {
  if (fate < 0.25) return 'refused';
  return fate < 0.32 ? 'unreadable' : 'answered';
}
