import type { Gauge } from 'prom-client';

interface Reading {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
type ReadGauges = () => Promise<readonly Reading[]>;

/** Lets several gauges share one read per scrape: prom-client collects all of them concurrently. */
export function createGaugeCollector(gauges: ReadonlyMap<string, Gauge>, countError: (metric: string) => void) {
  const readers = new Map<string, () => Promise<readonly Reading[] | undefined>>();

  return {
    add(names: readonly string[], read: ReadGauges): void {
      const shared = shareWhileRunning(async () => {
        try {
          return await read();
        } catch {
          // A scrape must not fail when the database is unavailable: gauges that cannot be read are left out and
          // counted.
          for (const name of names) countError(name);
          return undefined;
        }
      });
      for (const name of names) readers.set(name, shared);
    },

    async collect(name: string): Promise<void> {
      const read = readers.get(name);
      const gauge = gauges.get(name);
      if (!read || !gauge) return;
      const readings = await read();
      gauge.reset();
      for (const { metric, labels, value } of readings ?? []) if (metric === name) gauge.set({ ...labels }, value);
    },
  };
}

function shareWhileRunning<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}
