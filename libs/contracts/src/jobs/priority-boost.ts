/**
 * Head start of interactive work over bulk work that is due at the same time, in the outbox and again on the queue
 * (docs/reference/queues.md#priority-and-ageing). Bulk work that has waited longer than this goes first: it ages by
 * construction and never starves.
 */
export const INTERACTIVE_PRIORITY_BOOST_MS = 60_000;
