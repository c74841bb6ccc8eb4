import type { PiiSpan } from './pii-types.js';

/**
 * Removes overlapping spans: the more specific pattern wins, then the longer span, then the earlier. Returns the spans
 * in text order. Text that a dropped span leaves uncovered is checked again by the next pass of the redactor.
 */
export function resolveOverlaps(spans: readonly PiiSpan[]): PiiSpan[] {
  const kept: PiiSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || comparePrecedence(a, b))) {
    const last = kept.at(-1);
    if (!last || span.start >= last.end) kept.push(span);
    else if (comparePrecedence(span, last) < 0) kept[kept.length - 1] = span;
  }
  return kept;
}

function comparePrecedence(a: PiiSpan, b: PiiSpan): number {
  return a.rank - b.rank || b.end - b.start - (a.end - a.start) || a.start - b.start;
}
