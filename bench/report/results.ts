import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CapacityRun } from './capacity/capacity.ts';
import type { RunDescription } from './describe-run.ts';
import type { FaultRun } from './faults/run-faults.ts';

const FOLDER = path.join(import.meta.dirname, 'results');

export interface FaultResults extends RunDescription {
  readonly seed: number;
  readonly minutes: number;
  readonly perSecond: number;
  readonly run: FaultRun;
}

export interface CapacityResults extends RunDescription {
  readonly run: CapacityRun;
}

/** What each part has measured last, in files of their own: a part can run alone, and on another day. */
export interface Results {
  readonly faults?: FaultResults;
  readonly capacity?: CapacityResults;
}

export function readResults(): Results {
  return {
    ...readPart<'faults', FaultResults>('faults'),
    ...readPart<'capacity', CapacityResults>('capacity'),
  };
}

export function writeResults(part: keyof Results, results: FaultResults | CapacityResults): void {
  writeFileSync(
    fileOf(part),
    `${JSON.stringify(results, null, 1).replaceAll(/\n\s+(-?[\d.]+|null)(,?)(?=\n)/g, '$1$2')}\n`,
  );
}

function readPart<Name extends keyof Results, Part>(name: Name): Partial<Record<Name, Part>> {
  if (!existsSync(fileOf(name))) return {};
  return { [name]: JSON.parse(readFileSync(fileOf(name), 'utf8')) as Part } as Record<Name, Part>;
}

function fileOf(part: keyof Results): string {
  return path.join(FOLDER, `${part}.json`);
}
