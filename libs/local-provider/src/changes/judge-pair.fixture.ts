import type { StatementPair } from './pairs.fixture.js';
import { SimulatedMemory } from './simulated-memory.fixture.js';

export interface PairVerdict {
  readonly pair: StatementPair;
  /** Of a pair that closes: all that the later statement ends is over, and nothing else. */
  readonly isFound: boolean;
  /** Something that still holds was closed. */
  readonly isFalseClosing: boolean;
}

/** Tells both statements a month apart and looks at what became of the earlier one. */
export function judgePair(pair: StatementPair): PairVerdict {
  const memory = new SimulatedMemory();
  const told = memory.tell(pair.earlier, '2026-03-10');
  memory.tell(pair.later, '2026-04-10');
  const stays = (id: string) =>
    pair.effect !== 'closes' || (pair.stays !== null && memory.find(id)!.content.includes(pair.stays));
  const isFalseClosing = told.some((id) => stays(id) && !memory.holds(id));
  const ended = told.filter((id) => !stays(id));
  const keepsHalf = pair.stays === null || memory.current().some((content) => content.includes(pair.stays!));
  const isFound =
    pair.effect === 'closes' &&
    keepsHalf &&
    ended.length > 0 &&
    ended.every((id) => !memory.holds(id)) &&
    !isFalseClosing;
  return { pair, isFound, isFalseClosing };
}

export interface PairRates {
  readonly pairs: number;
  /** Share of the pairs that close which are found, in per cent. */
  readonly found: number;
  /** Share of all pairs in which something that holds was closed, in per cent. */
  readonly falseClosings: number;
}

export function rate(verdicts: readonly PairVerdict[]): PairRates {
  const closing = verdicts.filter(({ pair }) => pair.effect === 'closes');
  return {
    pairs: verdicts.length,
    found: percent(closing.filter(({ isFound }) => isFound).length, closing.length),
    falseClosings: percent(verdicts.filter(({ isFalseClosing }) => isFalseClosing).length, verdicts.length),
  };
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((1_000 * part) / whole) / 10;
}

/** A line for each value of `keyOf`, for the report of a run. */
export function reportBy(verdicts: readonly PairVerdict[], keyOf: (pair: StatementPair) => string): string[] {
  const groups = Map.groupBy(verdicts, ({ pair }) => keyOf(pair));
  return [...groups].map(([key, group]) => {
    const { pairs, found, falseClosings } = rate(group);
    return `${key}: ${pairs} pairs, found ${found} %, false closings ${falseClosings} %`;
  });
}
