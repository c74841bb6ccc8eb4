import type { FakeModelsRemote, JournalEntry } from '@annals/testing';
import { drain, type Drained } from '../frame/drain.ts';
import type { Stage } from '../frame/stage.ts';
import { median } from '../frame/statistics.ts';
import type { Side } from './sides.ts';

/** A drained backlog, and what its model was asked. */
export interface SideDrained extends Drained {
  /** Median of a call inside the provider: with it, everything else is ours. */
  readonly modelMs: number;
  /** Of a remote side: every request for a text that it sent. */
  readonly requests: readonly JournalEntry[];
}

/** Drains what is waiting by one worker of this side, with a model that takes `delayMs`. */
export async function drainSide(
  stage: Stage,
  fake: FakeModelsRemote,
  side: Side,
  { jobs, delayMs }: { readonly jobs: number; readonly delayMs: number },
): Promise<SideDrained> {
  await fake.configure({ latencyMs: delayMs });
  await fake.clear();
  const { pieceLength } = side;
  if (pieceLength !== undefined) {
    await fake.plan(...Array.from({ length: jobs }, () => ({ kind: 'answer' as const, pieceLength })));
  }
  const drained = await drain(stage, 'extraction', jobs, side.describeWorker(delayMs));
  if (!side.isRemote) return { ...drained, modelMs: median(drained.providerMs), requests: [] };
  const requests = (await fake.listEntries()).filter(({ request }) => request.endpoint === 'generate');
  return { ...drained, modelMs: median(requests.map(readServedMs)), requests };
}

/** From the whole request to the last byte of its answer, by the server's own clock (whole ms). */
function readServedMs({ receivedAt, endedAt, requestId }: JournalEntry): number {
  if (endedAt === null) throw new Error(`Request ${requestId} was never answered.`);
  return endedAt - receivedAt;
}
