import os from 'node:os';

/** What the figures were measured on, and how busy it was. */
export function describeMachine() {
  return {
    node: process.version,
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 1e9),
    load1m: Number(os.loadavg()[0]!.toFixed(2)),
  };
}
