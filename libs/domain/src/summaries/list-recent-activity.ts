/** The live summary of a whole thread; times are epoch ms. */
export interface ThreadSummary {
  readonly threadId: string;
  /** The last message that it covers, and when that was said. */
  readonly toSeq: number;
  readonly lastSaidAt: number;
}

export interface ThreadTurn {
  readonly threadId: string;
  readonly seq: number;
  readonly saidAt: number;
}

export const RECENT_ACTIVITY_MS = 7 * 86_400_000;

/**
 * What a user did in the last seven days, newest first, at most `limit`: the summary of each thread, and the turns that
 * it does not cover yet (docs/reference/summaries.md#recent-activity). Made when it is asked for; nothing is stored for it.
 */
export function listRecentActivity<Summary extends ThreadSummary, Turn extends ThreadTurn>(
  summaries: readonly Summary[],
  turns: readonly Turn[],
  { now, limit }: { readonly now: number; readonly limit: number },
): (Summary | Turn)[] {
  const since = now - RECENT_ACTIVITY_MS;
  const covered = new Map(summaries.map(({ threadId, toSeq }) => [threadId, toSeq]));
  const entries = [
    ...summaries.map((summary) => ({ entry: summary, at: summary.lastSaidAt, seq: summary.toSeq })),
    ...turns
      .filter(({ threadId, seq }) => seq > (covered.get(threadId) ?? -Infinity))
      .map((turn) => ({ entry: turn, at: turn.saidAt, seq: turn.seq })),
  ];
  return entries
    .filter(({ at }) => at >= since && at <= now)
    .toSorted((a, b) => b.at - a.at || b.seq - a.seq || compareThreads(a.entry, b.entry))
    .slice(0, limit)
    .map(({ entry }) => entry);
}

function compareThreads(a: ThreadTurn | ThreadSummary, b: ThreadTurn | ThreadSummary): number {
  return a.threadId < b.threadId ? -1 : a.threadId > b.threadId ? 1 : 0;
}
