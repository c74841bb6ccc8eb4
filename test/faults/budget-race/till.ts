import { SeededRng } from '@annals/domain';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a spender asks for. `mostMicroUsd` is what it has reserved. */
export interface TillRequest {
  readonly ticket: string;
  readonly tenantId: string;
  readonly provider: string;
  readonly mostMicroUsd: number;
}

/** What the till says: an answer, one nobody can read, or a refusal that costs all the same. */
export interface TillAnswer {
  readonly fate: 'answered' | 'unreadable' | 'refused';
  readonly costMicroUsd: number;
}

export interface Charge extends TillRequest {
  readonly costMicroUsd: number;
}

/** In micro-USD; null: not limited. */
export interface TillLimits {
  readonly deployment: number;
  readonly tenants: ReadonlyMap<string, number>;
  readonly providers: ReadonlyMap<string, number>;
}

export interface Till {
  readonly url: string;
  /** Every call that cost something, as it arrived. */
  readonly charges: readonly Charge[];
  /** Tickets of all calls that arrived, those that cost nothing too. */
  readonly arrived: ReadonlySet<string>;
  /** Each charge that took a purse above its limit. */
  readonly overspent: readonly string[];
  /** What was charged by purse: `deployment`, a tenant's id, a provider's name. */
  readonly spent: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

const LONGEST_ANSWER_MS = 40;

/**
 * A paid service that takes money for calls and knows nothing of budgets: it keeps its own books, charges before it
 * answers, and fails in every way. What it wrote down was really spent.
 */
export async function openTill(seed: number, limits: TillLimits): Promise<Till> {
  const rng = new SeededRng(seed);
  const charges: Charge[] = [];
  const overspent: string[] = [];
  const spent = new Map<string, number>();
  const arrived = new Set<string>();

  const charge = (request: TillRequest, costMicroUsd: number): void => {
    if (costMicroUsd === 0) return;
    charges.push({ ...request, costMicroUsd });
    const purses: [string, number | undefined][] = [
      ['deployment', limits.deployment],
      [request.tenantId, limits.tenants.get(request.tenantId)],
      [request.provider, limits.providers.get(request.provider)],
    ];
    for (const [purse, limit = Infinity] of purses) {
      const sum = (spent.get(purse) ?? 0) + costMicroUsd;
      spent.set(purse, sum);
      if (sum > limit) overspent.push(`${purse} by ${sum - limit} with ${request.ticket}`);
    }
  };

  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = JSON.parse(await text(message)) as TillRequest;
    arrived.add(request.ticket);
    const share = rng.nextFloat() < 0.1 ? 1 : rng.nextFloat();
    const costMicroUsd = Math.floor(request.mostMicroUsd * share);
    const fate = rng.nextFloat();
    const isFailure = fate < 0.1;
    charge(request, isFailure ? 0 : costMicroUsd);
    await sleep(rng.nextFloat() * LONGEST_ANSWER_MS);
    if (isFailure) response.writeHead(500).end();
    else if (fate < 0.16) response.socket?.destroy();
    else if (fate >= 0.19) response.end(JSON.stringify({ fate: nameFate(fate), costMicroUsd } satisfies TillAnswer));
    // Else it has taken the money and says nothing.
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
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function nameFate(fate: number): TillAnswer['fate'] {
  if (fate < 0.25) return 'refused';
  return fate < 0.32 ? 'unreadable' : 'answered';
}
