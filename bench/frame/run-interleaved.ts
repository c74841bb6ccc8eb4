import { runClosedLoop } from './load.ts';
import { median, medianOfRounds, summarize, type Summary } from './statistics.ts';

export interface InterleaveOptions {
  readonly callers: number;
  readonly rounds: number;
  /** Calls of each side in each round. */
  readonly count: number;
}

export interface Measurement {
  readonly latency: Summary;
  readonly perSecond: number;
}

/** Measures all sides in each round, so that a slower machine affects all of them; after one round as warm-up. */
export async function runInterleaved<Name extends string>(
  sides: Readonly<Record<Name, (index: number) => Promise<unknown>>>,
  { callers, rounds, count }: InterleaveOptions,
): Promise<Record<Name, Measurement>> {
  const names = Object.keys(sides) as Name[];
  const latency = new Map<Name, Summary[]>(names.map((name) => [name, []]));
  const perSecond = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (const name of names) await runClosedLoop(callers, count, sides[name]);
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const measured = await runClosedLoop(callers, count, sides[name]);
      latency.get(name)!.push(summarize(measured.samples));
      perSecond.get(name)!.push(measured.perSecond);
    }
  }
  return Object.fromEntries(
    names.map((name) => [
      name,
      { latency: medianOfRounds(latency.get(name)!), perSecond: median(perSecond.get(name)!) },
    ]),
  ) as Record<Name, Measurement>;
}
