import type { PiiCounts } from '@annals/domain';

/** The kinds of values that were redacted, with their numbers. */
export function listRedactions(counts: PiiCounts): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
