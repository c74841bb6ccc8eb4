import type { BatchPriority } from '@annals/contracts';

/**
 * How much earlier than bulk work that is due at the same time interactive work is released (decision 35). Waiting
 * longer than that outweighs it: bulk work ages by construction and never starves.
 */
export const INTERACTIVE_HEAD_START_MS = 60_000;

/** What work that is due at `availableAt` (epoch ms) is ordered by among its tenant's. */
export function rankAt(availableAt: number, priority: BatchPriority): Date {
  return new Date(priority === 'interactive' ? availableAt - INTERACTIVE_HEAD_START_MS : availableAt);
}
