import { analyzeTerms, splitWords } from '@annals/english';
import type { Slot } from '../slot.js';

/** Written by `composeProcedure`: only procedures from the work of agents have tags. */
const WORKFLOW = /^(?<title>[^\n]+):\n(?<steps>1\. [^]+)\nTags: [^\n]+\.$/u;
const NUMBER = /\d/u;

/**
 * What the work of agents was about: a workflow that was carried out again, with other steps, replaces the version before
 * it (docs/reference/extraction.md#procedures-from-the-work-of-agents). Null for procedures that somebody has written.
 */
export function extractWorkflow(content: string): Slot | null {
  const { title, steps } = WORKFLOW.exec(content)?.groups ?? {};
  if (title === undefined || steps === undefined) return null;
  const goal = [...analyzeTerms(title).terms.keys()].filter((word) => !NUMBER.test(word));
  if (goal.length === 0) return null;
  // Without blanks: steps are equal or not, never a part of each other.
  const words = steps.split('\n').map((step) => splitWords(step).join('_'));
  return {
    key: `workflow:${goal.toSorted().join(' ')}`,
    parts: { steps: words.join('|') },
    holds: true,
    tense: 'event',
  };
}
