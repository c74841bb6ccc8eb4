import { type BatchPriority, INTERACTIVE_PRIORITY_BOOST_MS } from '@annals/contracts';

/** What work that is due at `availableAt` (epoch ms) is ordered by among its tenant's. */
export function rankAt(availableAt: number, priority: BatchPriority): Date {
  return new Date(priority === 'interactive' ? availableAt - INTERACTIVE_PRIORITY_BOOST_MS : availableAt);
}
