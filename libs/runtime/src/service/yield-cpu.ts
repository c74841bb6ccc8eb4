import os from 'node:os';

/**
 * Lets other processes of the machine have the CPU first (docs/reference/minds.md#cost-to-requests). Where that is not
 * allowed, the process goes on as before.
 */
export function yieldCpu(nice: number, { setPriority }: Pick<typeof os, 'setPriority'> = os): void {
  try {
    setPriority(nice);
  } catch {
    // Only slower for others.
  }
}
