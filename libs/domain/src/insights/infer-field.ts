import { findTone } from '../consent/detect-benign-signal.js';
import { readsAsInstruction } from '../speakers/reads-as-instruction.js';
import type { CheckedInsight, DraftedInsight, InferredField, ShownEvidence } from './types.js';

/** From here on an inference needs no second signal (docs/reference/consent.md#two-signals-for-benign-fields). */
export const HIGH_CONFIDENCE = 0.8;
/** In UTF-16 units and words, as for goals that people state. */
const MAX_GOAL_LENGTH = 120;
const MIN_GOAL_WORDS = 2;
const MAX_GOAL_WORDS = 15;

/**
 * What an insight suggests for the user context: a tone that Annals knows, or a goal in the words of one; null for
 * anything else, and when no message stands behind it.
 */
export function inferField(
  { field, value, confidence }: Pick<DraftedInsight, 'field' | 'value' | 'confidence'>,
  evidence: readonly ShownEvidence[],
): InferredField | null {
  const [newest] = evidence
    .filter(({ messageId }) => messageId !== null)
    .toSorted((a, b) => b.saidAt - a.saidAt || (a.label < b.label ? -1 : 1));
  const known = field === 'tone' ? findTone(value?.trim()) : field === 'goals_add' ? readGoal(value) : null;
  if (!newest || field === undefined || known === null) return null;
  return { field, value: known, confidence, messageId: newest.messageId!, saidAt: newest.saidAt };
}

/**
 * The changes of the user context to hand to `observeInsight`, of insights that are kept
 * (docs/reference/insights.md#tone-and-goals): those that are certain enough to need no second signal.
 */
export function listContextInsights(insights: readonly CheckedInsight[]): InferredField[] {
  return insights.flatMap(({ inferred }) => (inferred && inferred.confidence >= HIGH_CONFIDENCE ? [inferred] : []));
}

function readGoal(value: string | undefined): string | null {
  const goal = (value ?? '').replace(/\s+/gu, ' ').replace(/^ *(?:to )?|[ .!,]+$/giu, '');
  const words = goal.split(' ').length;
  const isGoal = words >= MIN_GOAL_WORDS && words <= MAX_GOAL_WORDS && goal.length <= MAX_GOAL_LENGTH;
  return isGoal && !goal.includes('[') && !readsAsInstruction(goal) ? goal : null;
}
