/** One job that a worker finished. Times are epoch ms with fractions. */
export interface JobSample {
  readonly startedAt: number;
  readonly endedAt: number;
  /** CPU of the whole process until the job's end, in ms. */
  readonly cpuMs: number;
}

const samples: JobSample[] = [];
const providerMs: number[] = [];

export function logJob(runMs: number): void {
  const endedAt = performance.timeOrigin + performance.now();
  samples.push({ startedAt: endedAt - runMs, endedAt, cpuMs: readCpuMs() });
}

export function logProviderCall(ms: number): void {
  providerMs.push(ms);
}

/** Jobs since the last call. */
export function takeJobs(): { jobs: JobSample[]; providerMs: number[] } {
  return { jobs: samples.splice(0), providerMs: providerMs.splice(0) };
}

export function readCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
