import { renderDay } from './render-day.js';
import { createAgoResolver } from './resolve-dates.js';

/** A time that is only roughly named, from `start` to `end` of a text. */
interface RoughDate {
  readonly start: number;
  readonly end: number;
  /** "a few weeks before 8 May 2023": as rough as it was said. */
  readonly rendered: string;
  /** Epoch ms; where it may begin. */
  readonly startsAt: number;
}

/** "A few weeks ago" begins this many weeks ago. */
const FEW = 3;
/** A part of every match, which takes a fraction of its time. */
const MAY_BE_AGO = /ago|back/i;
const FEW_AGO = /\b(?:a few|few|several|some) (?<unit>day|week|weekend|month|year)s (?:ago|back)\b/gi;

/** "A few days ago", "several years back" of a text that was said at `saidAt` (epoch ms). */
export function listFewAgo(text: string, saidAt: number): RoughDate[] {
  if (!MAY_BE_AGO.test(text)) return [];
  const resolveAgo = createAgoResolver(saidAt);
  const saidOn = renderDay(saidAt);
  return Array.from(text.matchAll(FEW_AGO), ({ 0: words, index, groups }): RoughDate[] => {
    const unit = groups!['unit']!.toLowerCase();
    const date = resolveAgo(FEW, unit);
    if (date === null) return [];
    const rendered = `a few ${unit}s before ${saidOn}`;
    return [{ start: index, end: index + words.length, rendered, startsAt: Date.parse(date.from) }];
  }).flat();
}
