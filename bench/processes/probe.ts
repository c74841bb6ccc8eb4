import { type JobSample, readCpuMs, takeJobs } from './job-log.ts';
import { frameJson } from './json-frames.ts';
import { type LoopDelay, meterLoopDelay } from './loop-delay.ts';
import { meterSql, type SqlFigures } from './sql-meter.ts';

/** The report of a measured service process. */
export interface ProbeReport {
  /** Since the start of the process. */
  readonly cpuMs: number;
  /** Now. */
  readonly rssMb: number;
  readonly sql: SqlFigures;
  /** Since the last probe. */
  readonly loop: LoopDelay;
  readonly jobs: readonly JobSample[];
  readonly providerMs: readonly number[];
}

// Imported before a service's main.js, so that the service itself contains no benchmark code.
if (process.execArgv.includes('--cpu-prof')) frameJson();
const readSql = meterSql();
const readLoopDelay = meterLoopDelay();
process.on('message', () => {
  const rssMb = Math.round(process.memoryUsage.rss() / 1e6);
  const answer: ProbeReport = { cpuMs: readCpuMs(), rssMb, sql: readSql(), loop: readLoopDelay(), ...takeJobs() };
  process.send?.(answer);
});
// Ends the service when the benchmark dies.
process.on('disconnect', () => process.exit());
