import type { FakeModelsRemote, JournalEntry } from '@annals/testing';
import { CONCURRENCY, drain, type DrainResult } from '../frame/drain.ts';
import type { BenchDeployment } from '../frame/deployment.ts';
import { median } from '../frame/statistics.ts';
import type { Side } from './sides.ts';

/** Measurements of a drained backlog, with the requests to its model. */
export interface SideResult extends DrainResult {
  /** Median duration of a call inside the provider; the rest of a job is our overhead. */
  readonly modelMs: number;
  /** Every generation request of a remote side. */
  readonly requests: readonly JournalEntry[];
}

/** Streaming in pieces of a number of characters, one per interval in ms. */
export interface StreamPieces {
  readonly pieceLength: number;
  readonly everyMs: number;
}

export interface SideOptions {
  readonly jobs: number;
  /** Delay of the model, in ms. */
  readonly delayMs: number;
  readonly concurrency?: number;
  /** How answers stream. Default: in one piece. */
  readonly pieces?: StreamPieces;
}

/** Drains the backlog with one worker of this side. */
export async function drainSide(
  deployment: BenchDeployment,
  fake: FakeModelsRemote,
  side: Side,
  { jobs, delayMs, concurrency = CONCURRENCY, pieces }: SideOptions,
): Promise<SideResult> {
  await fake.configure({ latencyMs: delayMs });
  await fake.clear();
  if (pieces) await fake.plan(...Array.from({ length: jobs }, () => ({ kind: 'answer' as const, ...pieces })));
  const drained = await drain(deployment, 'extraction', jobs, { ...side.describeWorker(delayMs), concurrency });
  if (!side.isRemote) return { ...drained, modelMs: median(drained.providerMs), requests: [] };
  const requests = (await fake.listEntries()).filter(({ request }) => request.endpoint === 'generate');
  const answered = requests.filter(({ status }) => status === 200);
  return { ...drained, modelMs: median(answered.map(computeServedMs)), requests };
}

/** Time from the end of the request to the last byte of its answer, by the server's clock (whole ms). */
function computeServedMs({ receivedAt, endedAt, requestId }: JournalEntry): number {
  if (endedAt === null) throw new Error(`Request ${requestId} was never answered.`);
  return endedAt - receivedAt;
}
