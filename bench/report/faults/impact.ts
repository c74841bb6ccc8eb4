import { summarize } from '../../frame/statistics.ts';
import type { PlannedFault } from './schedule.ts';
import type { RequestSample } from './timeline.ts';

/** A fault that was caused, and when it was over. Times in ms since the beginning of the load. */
export interface CausedFault {
  readonly name: PlannedFault['name'];
  readonly atMs: number;
  readonly overMs: number;
}

/** What clients saw from a fault until the next one. */
export interface Impact {
  /** Requests that had to be sent again, of all. */
  readonly repeated: number;
  readonly requests: number;
  /** Longest time without an accepted post. */
  readonly postGapMs: number;
  /** Of answered queries; null when none was answered. */
  readonly queryP95Ms: number | null;
}

export function measureImpacts(
  faults: readonly CausedFault[],
  samples: readonly RequestSample[],
  endMs: number,
): Impact[] {
  return faults.map(({ atMs }, index) => {
    const untilMs = faults[index + 1]?.atMs ?? endMs;
    const within = samples.filter((sample) => sample.atMs >= atMs && sample.atMs < untilMs);
    const queries = within.filter(({ kind, status }) => kind === 'query' && status === 200);
    return {
      repeated: within.filter(({ status }) => status === 0 || status === 429 || status >= 500).length,
      requests: within.length,
      postGapMs: findLongestGap(within, atMs, untilMs),
      queryP95Ms: queries.length === 0 ? null : Math.round(summarize(queries.map(({ ms }) => ms)).p95),
    };
  });
}

/** A post is accepted when its answer comes, which is later than it was sent. */
function findLongestGap(samples: readonly RequestSample[], fromMs: number, untilMs: number): number {
  const accepted = samples
    .filter(({ kind, status }) => kind === 'post' && status >= 200 && status < 300)
    .map(({ atMs, ms }) => atMs + ms)
    .filter((at) => at < untilMs)
    .toSorted((a, b) => a - b);
  const moments = [fromMs, ...accepted, untilMs];
  return Math.round(Math.max(...moments.slice(1).map((at, index) => at - moments[index]!)));
}
