import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ReportRow } from './report.ts';

/** Writes `<prefix>-<time>.json` into bench/results and returns its path. */
export function writeResults(
  prefix: string,
  results: {
    readonly dataset: string;
    readonly profile: string;
    readonly rows: readonly ReportRow[];
    readonly figures?: object;
  },
): string {
  const folder = path.join(import.meta.dirname, '../results');
  mkdirSync(folder, { recursive: true });
  const output = path.join(folder, `${prefix}-${new Date().toISOString().replaceAll(':', '-')}.json`);
  writeFileSync(output, `${JSON.stringify(results, null, 2)}\n`);
  return path.relative(process.cwd(), output);
}
