import type { Config } from '@annals/config';
import type { Clock, EnergyLimits } from '@annals/domain';
import type { Metrics } from '@annals/observability';
import { type Database, readLowestEnergy } from '@annals/storage';

export function readEnergyLimits({ minds }: Config<'minds'>): EnergyLimits {
  return { capacity: minds.energyCapacity, refillPerHour: minds.energyRefillPerHour };
}

/** Collects the lowest level of all meters on each Prometheus scrape. */
export function collectEnergyGauge(
  metrics: Metrics,
  { database, clock, minds }: Config<'minds'> & { readonly database: Database; readonly clock: Clock },
): void {
  metrics.collectGauges(['memory_llm_energy_level_percent'], async () => {
    const lowest = await readLowestEnergy(database, { now: clock.now(), limits: readEnergyLimits({ minds }) });
    return [{ metric: 'memory_llm_energy_level_percent', labels: {}, value: lowest * 100 }];
  });
}
