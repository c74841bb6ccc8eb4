import type { Clock } from '@annals/domain';
import type { GaugeReading, Metrics } from '@annals/observability';
import { type Database, type MaintenanceStatus, readMaintenanceStatus } from '@annals/storage';

const GAUGES = ['memory_llm_maintenance_failures', 'memory_llm_maintenance_age_ms'] as const;
type MaintenanceReading = Extract<GaugeReading, { metric: (typeof GAUGES)[number] }>;

/** Collects the status of the fleet's maintenance jobs on each Prometheus scrape. */
export function collectMaintenanceGauges(metrics: Metrics, database: Database, clock: Clock): void {
  metrics.collectGauges(GAUGES, async () =>
    (await readMaintenanceStatus(database)).flatMap((status) => toReadings(status, clock.now())),
  );
}

function toReadings({ name, failures, completedAt }: MaintenanceStatus, now: number): MaintenanceReading[] {
  const labels = { job: name };
  return [
    { metric: 'memory_llm_maintenance_failures', labels, value: failures },
    ...(completedAt === null
      ? []
      : [{ metric: 'memory_llm_maintenance_age_ms' as const, labels, value: Math.max(0, now - completedAt) }]),
  ];
}
