import type { FakeModelsRemote, JournalEntry } from '@annals/testing';
import { atMost, type Row } from '../frame/row.ts';
import type { BenchDeployment } from '../frame/deployment.ts';
import { measureBareStream } from './measure-bare-calls.ts';
import { drainSide, type StreamPieces } from './measure-side.ts';
import type { Side } from './sides.ts';

/** Like real models: one token after the other, each in a packet of its own. */
const PIECES: StreamPieces = { pieceLength: 4, everyMs: 1 };

/**
 * Target T3 (docs/reference/performance-targets.md#t3-overhead-of-an-extraction-job): the CPU of reading an answer
 * while it is generated. The elapsed time is that of the model.
 */
export async function measureStreaming(
  deployment: BenchDeployment,
  fake: FakeModelsRemote,
  side: Side,
  { request }: JournalEntry,
  jobs: number,
): Promise<Row> {
  const { cpuMsPerJob, modelMs, requests } = await drainSide(deployment, fake, side, {
    jobs,
    delayMs: 0,
    pieces: PIECES,
  });
  const letters = requests.reduce((sum, { text }) => sum + text.length, 0) / requests.length;
  const bareMs = await measureBareStream({ fake, request, count: jobs, pieces: PIECES });
  return {
    id: 'T3',
    what: `${side.name} token by token: CPU a job`,
    value: cpuMsPerJob,
    unit: 'ms',
    raw: { what: 'bare fetch of the stream', value: bareMs },
    target: atMost(cpuMsPerJob, 15, '<= 15 ms'),
    details: { tokens: letters / PIECES.pieceLength, modelMs },
  };
}
