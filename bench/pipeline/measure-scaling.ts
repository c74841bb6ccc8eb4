import type { Row } from '../frame/row.ts';
import { median } from '../frame/statistics.ts';
import { type Pipeline, type RoundResult, runRound } from './run-round.ts';

const WORKERS = ['extraction', 'persistence'] as const;

export interface ScalingOptions {
  /** Numbers of processes of each worker, ascending, from 2. */
  readonly steps: readonly number[];
  readonly rounds: number;
  /** Conversations of a round. */
  readonly count: number;
  startWorker(name: (typeof WORKERS)[number]): Promise<Pipeline['extraction'][number]>;
}

/**
 * CPU a conversation with more processes of each worker on the same load, compared with one of each (`single`): what
 * their coordination costs.
 */
export async function measureScaling(
  pipeline: Pipeline,
  single: readonly RoundResult[],
  { steps, rounds, count, startWorker }: ScalingOptions,
): Promise<Row[]> {
  const [extraction, persistence] = [[...pipeline.extraction], [...pipeline.persistence]];
  const rows: Row[] = [];
  for (const processes of steps) {
    while (extraction.length < processes) {
      extraction.push(await startWorker('extraction'));
      persistence.push(await startWorker('persistence'));
    }
    const scaled = { ...pipeline, extraction, persistence };
    // New processes compile their code with the first conversations.
    await runRound(scaled, Math.ceil(count / 2));
    const results: RoundResult[] = [];
    for (let round = 0; round < rounds; round += 1) results.push(await runRound(scaled, count));
    rows.push(...describe(processes, results, single));
  }
  return rows;
}

function describe(processes: number, results: readonly RoundResult[], single: readonly RoundResult[]): Row[] {
  const row = (what: string, unit: string, figure: (result: RoundResult) => number): Row => ({
    id: 'T3',
    what: `pipeline, ${processes} processes of each worker${what}`,
    value: median(results.map(figure)),
    unit,
    raw: { what: 'one of each', value: median(single.map(figure)) },
  });
  return [
    row('', 'conv/s', ({ perSecond }) => perSecond),
    ...WORKERS.map((name) => row(`: CPU of ${name} a conversation`, 'ms', ({ cpuMs }) => cpuMs[name])),
  ];
}
