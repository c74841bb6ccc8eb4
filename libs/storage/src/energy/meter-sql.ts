import { ENERGY_RESERVE_SHARE, type EnergyLimits } from '@annals/domain';

/** Meters count in thousandths of a unit. */
const MILLI = 1_000;
const HOUR_MS = 3_600_000;

export const toMilli = (units: number): number => Math.round(units * MILLI);

/** Limits in thousandths of a unit, as the statements take them. */
export interface MilliLimits {
  readonly capacity: number;
  /** What is never drawn. */
  readonly reserve: number;
  readonly refillPerHour: number;
}

export function toMilliLimits({ capacity, refillPerHour }: EnergyLimits): MilliLimits {
  return {
    capacity: toMilli(capacity),
    reserve: toMilli(capacity * ENERGY_RESERVE_SHARE),
    refillPerHour: toMilli(refillPerHour),
  };
}

/**
 * SQL of the level of the meter `m` at a time: what was left, and what was refilled since. A clock that is behind another
 * process's adds nothing.
 */
export const levelSql = ({ at, capacity, refill }: { at: string; capacity: string; refill: string }): string =>
  `least(${capacity}::bigint, m.level_milli + floor(
     greatest(0, extract(epoch FROM ${at}::timestamptz - m.updated_at) * 1000) * ${refill}::bigint / ${HOUR_MS})::bigint)`;

/** Ms until a meter has gained `milli`. */
export const timeToRefill = (milli: number, { refillPerHour }: Pick<MilliLimits, 'refillPerHour'>): number =>
  Math.max(0, Math.ceil((milli * HOUR_MS) / refillPerHour));

/** The UTC day of a time in epoch ms, as 2026-11-22. */
export const utcDayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);
