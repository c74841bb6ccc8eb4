import type { MoodDelta } from '../selection/detect-mood-deltas.js';
import { neutralizeText } from './neutralize-text.js';

/** Smaller shifts are not significant, and marks cost tokens. */
const NOTABLE_SHIFT = 0.3;

export interface MessageLine {
  /** `m1`, … or `c1`, …. */
  readonly shortName: string;
  readonly speaker: string;
  readonly content: string;
  readonly mood?: number | undefined;
  readonly delta?: MoodDelta | undefined;
}

/**
 * Renders a message as one line: `m3 Ana ↓-0.6: We broke up.` The mark is only added if the mood has shifted notably.
 */
export function renderMessageLine({ shortName, speaker, content, mood, delta }: MessageLine): string {
  return `${shortName} ${speaker}${renderMoodShift(mood, delta)}: ${neutralizeText(content)}`;
}

function renderMoodShift(mood: number | undefined, delta: MoodDelta | undefined): string {
  if (delta === undefined || delta.direction === 'none' || delta.magnitude < NOTABLE_SHIFT) return '';
  const arrow = delta.direction === 'rise' ? '↑' : '↓';
  return ` ${arrow}${mood === undefined ? '' : formatMood(mood)}`;
}

/** Renders one decimal; never "-0.0". */
function formatMood(mood: number): string {
  return (Math.round(mood * 10) / 10 + 0).toFixed(1);
}
