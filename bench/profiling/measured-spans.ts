import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TimeSpan } from './cpu-profile.ts';

/** A time in which a profiled process worked on a known number of conversations. */
export interface MeasuredSpan extends TimeSpan {
  /** Name of its profile. */
  readonly profile: string;
  readonly conversations: number;
  /** CPU of the process in that time. */
  readonly cpuMs: number;
}

const FILE = 'measured.json';

/** Now, on the clock of profiles, in µs. */
export function readProfileClock(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** Notes spans beside the profiles in `folder`, so that their table leaves out start-up and everything else. */
export function noteMeasuredSpans(folder: string, spans: readonly MeasuredSpan[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, FILE), JSON.stringify([...readMeasuredSpans(folder), ...spans]));
}

export function readMeasuredSpans(folder: string): MeasuredSpan[] {
  const file = path.join(folder, FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as MeasuredSpan[]) : [];
}
