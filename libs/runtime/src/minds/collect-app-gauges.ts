import type { Metrics } from '@annals/observability';
import { countApps, type Database } from '@annals/storage';

/** Collects on each Prometheus scrape how many apps are installed, and how many of them have memories. */
export function collectAppGauges(metrics: Metrics, database: Database): void {
  metrics.collectGauges(['memory_llm_apps', 'memory_llm_apps_with_memories'], async () => {
    const { apps, withMemories } = await countApps(database);
    return [
      { metric: 'memory_llm_apps', labels: {}, value: apps },
      { metric: 'memory_llm_apps_with_memories', labels: {}, value: withMemories },
    ];
  });
}
