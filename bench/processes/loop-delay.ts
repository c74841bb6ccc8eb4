import { monitorEventLoopDelay } from 'node:perf_hooks';

/** In ms. How often the loop is looked at; that much is a part of each delay that is measured. */
const RESOLUTION_MS = 1;
const NANOS = 1_000_000;

/** Delays of the event loop since the last report, in ms. */
export interface LoopDelay {
  readonly maxMs: number;
  readonly p99Ms: number;
}

/** Starts to measure; the returned function reports, and starts again. */
export function meterLoopDelay(): () => LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const toMs = (nanos: number) => Math.max(0, nanos / NANOS - RESOLUTION_MS);
  return () => {
    const delay = { maxMs: toMs(histogram.max), p99Ms: toMs(histogram.percentile(99)) };
    histogram.reset();
    return delay;
  };
}
