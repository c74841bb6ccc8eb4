/**
 * How much earlier than bulk work that is due at the same time interactive work has its turn, in the outbox and again
 * on the queue (docs/reference/queues.md#priority-and-ageing). Waiting longer than that outweighs it: bulk work ages by
 * construction and never starves.
 */
export const INTERACTIVE_PRIORITY_BOOST_MS = 60_000;
