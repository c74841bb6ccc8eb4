import { type BatchPriority, INTERACTIVE_PRIORITY_BOOST_MS } from '@annals/contracts';

/** Rank of work that is due at `availableAt` (epoch ms), by which the work of a tenant is ordered. */
export function rankAt(availableAt: number, priority: BatchPriority): Date {
  return new Date(priority === 'interactive' ? availableAt - INTERACTIVE_PRIORITY_BOOST_MS : availableAt);
}
