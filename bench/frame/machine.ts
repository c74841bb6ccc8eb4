import os from 'node:os';

/** The machine of the measurements, and its load. */
export function describeMachine() {
  return {
    node: process.version,
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 1e9),
    load1m: Number(os.loadavg()[0]!.toFixed(2)),
  };
}
