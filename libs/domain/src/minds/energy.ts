/** Who draws energy: the minds, and what apps do in the background. */
export const ENERGY_KINDS = ['insights', 'consolidation', 'summary', 'app_memory', 'app_compaction'] as const;
export type EnergyKind = (typeof ENERGY_KINDS)[number];

/** Kinds that together may use at most {@link APP_ENERGY_SHARE} of a day's energy. */
export const APP_ENERGY_KINDS: readonly EnergyKind[] = ['app_memory', 'app_compaction'];

/** Units that a model call costs (docs/reference/energy.md#prices). */
export const ENERGY_PRICES = {
  insight: 8,
  pair_batch: 20,
  summary_call: 6,
  app_memory: 12,
  app_compaction: 25,
} as const;

/** Part of the capacity that is never drawn: below it, work waits. */
export const ENERGY_RESERVE_SHARE = 0.2;
/** Part of a day's refill that apps may draw on a UTC day. */
export const APP_ENERGY_SHARE = 0.05;

/** Units, and units an hour. */
export interface EnergyLimits {
  readonly capacity: number;
  readonly refillPerHour: number;
}
