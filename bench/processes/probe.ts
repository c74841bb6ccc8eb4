import { type JobSample, readCpuMs, takeJobs } from './job-log.ts';
import { meterSql, type SqlFigures } from './sql-meter.ts';

/** What a service process under measurement answers. */
export interface ProbeReport {
  /** Since the start of the process. */
  readonly cpuMs: number;
  readonly sql: SqlFigures;
  /** Since the last probe. */
  readonly jobs: readonly JobSample[];
  readonly providerMs: readonly number[];
}

// Imported before a service's own main, so that nothing in it knows of the bench.
const readSql = meterSql();
process.on('message', () => {
  const answer: ProbeReport = { cpuMs: readCpuMs(), sql: readSql(), ...takeJobs() };
  process.send?.(answer);
});
// A bench that dies leaves no service behind.
process.on('disconnect', () => process.exit());
