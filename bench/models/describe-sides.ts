import { CONCURRENCY } from '../frame/drain.ts';
import { atLeast, atMost, type Row } from '../frame/row.ts';
import { median, summarize } from '../frame/statistics.ts';
import type { SideResult } from './measure-side.ts';
import type { Side } from './sides.ts';

/** Rounds of one side: with a model without delay, one job at a time and concurrently; and with a delayed model. */
export interface MeasuredSide {
  readonly side: Side;
  readonly alone: readonly SideResult[];
  readonly fast: readonly SideResult[];
  readonly slow: readonly SideResult[];
}

interface Figures {
  /** p50 of a job less p50 of its call inside the provider. */
  readonly addedMs: number;
  readonly jobsPerSecond: number;
  readonly cpuMs: number;
  readonly callMs: number;
  readonly modelMs: number;
}

/**
 * Target T3 (docs/reference/performance-targets.md#t3-overhead-of-an-extraction-job) for each side, compared with
 * the first one, which has no LLM layer.
 */
export function describeSides(sides: readonly MeasuredSide[], modelMs: number): Row[] {
  const bare = sides[0]!;
  return sides.flatMap((measured) => [
    ...describeSpeed(measured, bare, modelMs),
    ...describeStatements(measured, bare),
  ]);
}

function describeSpeed({ side, alone, fast, slow }: MeasuredSide, bare: MeasuredSide, modelMs: number): Row[] {
  const [quick, waiting] = [summarizeRounds(fast), summarizeRounds(slow)];
  const [bareQuick, bareWaiting] = [summarizeRounds(bare.fast), summarizeRounds(bare.slow)];
  const aloneMs = summarizeRounds(alone).addedMs;
  const limit = CONCURRENCY / (modelMs / 1_000);
  const beside = (value: number) => (side === bare.side ? {} : { raw: { what: bare.side.name, value } });
  return [
    {
      id: 'T3',
      what: `${side.name}: job less its ${modelMs} ms model, p50`,
      value: waiting.addedMs,
      unit: 'ms',
      ...beside(bareWaiting.addedMs),
      target: atMost(waiting.addedMs, 25, '<= 25 ms'),
      details: { ...waiting },
    },
    {
      id: 'T3',
      what: `${side.name}: job less its 0 ms model, one at a time, p50`,
      value: aloneMs,
      unit: 'ms',
      ...beside(summarizeRounds(bare.alone).addedMs),
      target: atMost(aloneMs, 25, '<= 25 ms'),
      details: { ...summarizeRounds(alone) },
    },
    {
      id: 'T3',
      what: `${side.name}: jobs with a ${modelMs} ms model, ${CONCURRENCY} at a time`,
      value: waiting.jobsPerSecond,
      unit: '/s',
      raw: { what: 'concurrency / model time', value: limit },
      target: atLeast(waiting.jobsPerSecond, limit * 0.8, '>= 80 %'),
    },
    {
      id: 'T3',
      what: `${side.name}: CPU a job with a ${modelMs} ms model`,
      value: waiting.cpuMs,
      unit: 'ms',
      ...beside(bareWaiting.cpuMs),
      target: atMost(waiting.cpuMs, 15, '<= 15 ms'),
    },
    {
      id: 'T3',
      what: `${side.name}: jobs of one process, 0 ms model`,
      value: quick.jobsPerSecond,
      unit: '/s',
      ...beside(bareQuick.jobsPerSecond),
      target: atLeast(quick.jobsPerSecond, 60, '>= 60/s'),
    },
    {
      id: 'T3',
      what: `${side.name}: CPU a job, 0 ms model`,
      value: quick.cpuMs,
      unit: 'ms',
      ...beside(bareQuick.cpuMs),
      target: atMost(quick.cpuMs, 15, '<= 15 ms'),
    },
    {
      id: 'T3',
      what: `${side.name}: job less its 0 ms model, as many as it can, p50`,
      value: quick.addedMs,
      unit: 'ms',
      ...beside(bareQuick.addedMs),
      details: { ...quick },
    },
  ];
}

function summarizeRounds(rounds: readonly SideResult[]): Figures {
  const of = (read: (round: SideResult) => number) => median(rounds.map(read));
  return {
    addedMs: of(({ runMs, modelMs }) => summarize(runMs).p50 - modelMs),
    jobsPerSecond: of(({ jobsPerSecond }) => jobsPerSecond),
    cpuMs: of(({ cpuMsPerJob }) => cpuMsPerJob),
    callMs: of(({ providerMs }) => median(providerMs)),
    modelMs: of(({ modelMs }) => modelMs),
  };
}

const COUNTED = {
  statements: 'statements per job, including BEGIN and COMMIT',
  roundTrips: 'round trips to PostgreSQL per job',
  transactions: 'transactions per job',
} as const;

function describeStatements({ side, fast }: MeasuredSide, bare: MeasuredSide): Row[] {
  const of = (rounds: readonly SideResult[], key: keyof typeof COUNTED) =>
    median(rounds.map(({ sqlPerJob }) => sqlPerJob[key]));
  return (Object.keys(COUNTED) as (keyof typeof COUNTED)[]).map((key) => ({
    id: 'T4',
    what: `${side.name}: ${COUNTED[key]}`,
    value: of(fast, key),
    unit: '',
    ...(side === bare.side ? {} : { raw: { what: bare.side.name, value: of(bare.fast, key) } }),
  }));
}
