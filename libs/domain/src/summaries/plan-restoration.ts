import type { StoredSummary } from './types.js';

export type RestorationPlan =
  | {
      readonly type: 'restore';
      readonly id: string;
      /** The live summary of the same place, which becomes a tombstone. */
      readonly tombstone: string | null;
    }
  | { readonly type: 'refuse'; readonly reason: 'unknown' | 'live' | 'messages_deleted' };

/**
 * What restoring a tombstoned summary does. It is refused once a message that it covers is deleted (`hasDeletions`): a
 * summary must not bring back what was forgotten. The next run goes on from the restored summary.
 */
export function planRestoration(
  id: string,
  summaries: readonly StoredSummary[],
  hasDeletions: (summary: StoredSummary) => boolean,
): RestorationPlan {
  const chosen = summaries.find((summary) => summary.id === id);
  if (!chosen) return { type: 'refuse', reason: 'unknown' };
  if (chosen.state === 'live') return { type: 'refuse', reason: 'live' };
  if (hasDeletions(chosen)) return { type: 'refuse', reason: 'messages_deleted' };
  const { tier, position } = chosen;
  const live = summaries.find(
    (summary) => summary.state === 'live' && summary.tier === tier && summary.position === position,
  );
  return { type: 'restore', id, tombstone: live?.id ?? null };
}
