import { totalmem } from 'node:os';

const MIN_MB = 16;
/** Sorts the index of 325 000 postings without files. */
const MAX_MB = 256;
/** The engine shares the process with everything else, and memory that it has taken is not given back. */
const SHARE = 1 / 8;

/** Memory that this process may use, in bytes: what its container allows, or what the machine has. */
export function readMemoryLimit(): number {
  // 0 when there is no limit, and an absurdly large number in some containers without one.
  return Math.min(process.constrainedMemory() || Infinity, totalmem());
}

/** `maintenance_work_mem` for rewriting a table, in MB, with so many bytes for the whole process. */
export function sortMemoryMb(memoryLimit: number): number {
  return Math.min(MAX_MB, Math.max(MIN_MB, Math.floor((memoryLimit * SHARE) / 2 ** 20)));
}
