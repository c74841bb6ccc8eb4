import { makeValueKey } from '../consent/value-key.js';
import { isRewording } from '../meaning/is-rewording.js';
import { compareInsights, type InsightRelation } from './compare-insights.js';
import type { CheckedInsight, InferredField } from './types.js';

/** A current insight of the person. */
export interface StoredInsight {
  readonly id: string;
  readonly summary: string;
  /** As it was checked when it was made. */
  readonly inferred: Pick<InferredField, 'field' | 'value'> | null;
}

/** The end of an earlier insight. */
export interface SupersededInsight {
  readonly id: string;
  /** Index of the newer insight. */
  readonly by: number;
  readonly reason: Exclude<InsightRelation, 'apart'>;
}

/** What to write of one run. */
export interface InsightPlan {
  /** Indexes of new insights that a current one says in the same words: nothing is written for them. */
  readonly known: readonly number[];
  readonly superseded: readonly SupersededInsight[];
}

/**
 * Compares new insights with the current ones (docs/reference/insights.md#newer-insights-win). Those that say the same
 * otherwise, or the opposite, are superseded: each once, by the first new insight that does.
 */
export function planInsights(
  current: readonly StoredInsight[],
  fresh: readonly CheckedInsight[],
  names: readonly string[] = [],
): InsightPlan {
  const isSame = (newer: CheckedInsight) => (earlier: StoredInsight) => isRewording(earlier.summary, newer.summary);
  const known = fresh.flatMap((newer, index) => (current.some(isSame(newer)) ? [index] : []));
  const superseded = current.flatMap((earlier) => {
    if (fresh.some((newer) => isSame(newer)(earlier))) return [];
    for (const [by, newer] of fresh.entries()) {
      const relation = known.includes(by) ? 'apart' : compare(earlier, newer, names);
      if (relation !== 'apart') return [{ id: earlier.id, by, reason: relation }];
    }
    return [];
  });
  return { known, superseded };
}

function compare(earlier: StoredInsight, newer: CheckedInsight, names: readonly string[]): InsightRelation {
  const [one, other] = [earlier.inferred, newer.inferred];
  if (one?.field === 'tone' && other?.field === 'tone')
    return makeValueKey('tone', one.value) === makeValueKey('tone', other.value) ? 'repeats' : 'contradicts';
  return compareInsights(earlier.summary, newer.summary, names);
}
