import { monitorEventLoopDelay } from 'node:perf_hooks';

/** In ms. How often the loop is looked at; that much is a part of each delay that is measured. */
const RESOLUTION_MS = 1;
const NANOS = 1_000_000;

/** Delays of the event loop since the last report, in ms. */
export interface LoopDelay {
  readonly maxMs: number;
  readonly p99Ms: number;
  /** Most CPU time of the thread between two looks: the longest delay without what other processes added to it. */
  readonly maxCpuMs: number;
}

/** Starts to measure; the returned function reports, and starts again. */
export function meterLoopDelay(): () => LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let maxCpuMs = 0;
  let lastCpuMs = readThreadCpuMs();
  const look = () => {
    const cpuMs = readThreadCpuMs();
    maxCpuMs = Math.max(maxCpuMs, cpuMs - lastCpuMs);
    lastCpuMs = cpuMs;
  };
  setInterval(look, RESOLUTION_MS).unref();
  const toMs = (nanos: number) => Math.max(0, nanos / NANOS - RESOLUTION_MS);
  return () => {
    const delay = { maxMs: toMs(histogram.max), p99Ms: toMs(histogram.percentile(99)), maxCpuMs };
    histogram.reset();
    maxCpuMs = 0;
    return delay;
  };
}

function readThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
