import type { FakeModelsRemote, JournalEntry } from '@annals/testing';
import { CONCURRENCY, drain, type DrainResult } from '../frame/drain.ts';
import type { BenchDeployment } from '../frame/deployment.ts';
import { median } from '../frame/statistics.ts';
import type { Side } from './sides.ts';

/** A drained backlog, and what its model was asked. */
export interface SideResult extends DrainResult {
  /** Median of a call inside the provider: with it, everything else is ours. */
  readonly modelMs: number;
  /** Of a remote side: every request for a text that it sent. */
  readonly requests: readonly JournalEntry[];
}

/** Streams in pieces of so many letters, one in so many ms. */
export interface StreamPieces {
  readonly pieceLength: number;
  readonly everyMs: number;
}

export interface SideOptions {
  readonly jobs: number;
  /** How long the model takes. */
  readonly delayMs: number;
  readonly concurrency?: number;
  /** How the answers stream. Default: all of it at once. */
  readonly pieces?: StreamPieces;
}

/** Drains what is waiting by one worker of this side. */
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

/** From the whole request to the last byte of its answer, by the server's own clock (whole ms). */
function computeServedMs({ receivedAt, endedAt, requestId }: JournalEntry): number {
  if (endedAt === null) throw new Error(`Request ${requestId} was never answered.`);
  return endedAt - receivedAt;
}
