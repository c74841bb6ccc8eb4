import { NUMBER_WORDS } from '../words/word-lists.js';
import { COUNT, parseCount } from './date-words.js';
import { renderDate } from './render-date.js';
import { createAgoResolver } from './resolve-dates.js';

/** A part of every match, which takes a fraction of its time. */
const MAY_LAST = /now/i;
const COUNT_NOW = new RegExp(
  `(?<![\\p{L}\\p{N}_'’-])${COUNT}\\s(?<unit>day|week|month|year)s?\\snow(?![\\p{L}\\p{N}_-])`,
  'giu',
);
/** In UTF-16 units: how far before a count its evidence is searched. */
const MAX_DISTANCE = 64;

const ROUGHLY =
  '(?:(?:about|around|almost|nearly|roughly|maybe|already|some|like|well|over|just\\sover|close\\sto|at\\sleast)\\s)*$';
const STRETCH = '(?:the|these)\\s(?:past|last)';
const FOR_OR_BEEN = new RegExp(`\\b(?:for|been)\\s(?:${STRETCH}\\s)?${ROUGHLY}`, 'iu');
/** Between "been" and its count; what is counted, asked for or repeated does not last, nor is "twenty five" a five. */
const NO_PART =
  'every|each|once|twice|within|than|just|only|in|at|by|to|on|after|before|until|next|first|other|told|given|taking|costing|' +
  `lasting|another|and|or|half|twenty|\\p{L}+teen|\\p{L}+ty|hundred|thousand|dozen|${NUMBER_WORDS.join('|')}`;
const EVIDENCE: readonly RegExp[] = [
  FOR_OR_BEEN,
  new RegExp(`\\bbeen(?:\\s(?!(?:${NO_PART})\\s)[\\p{L}'’]+){1,3}\\s${ROUGHLY}`, 'iu'),
  new RegExp(`\\b${STRETCH}\\s${ROUGHLY}`, 'iu'),
  // "Over" after a verb that plans or measures is no evidence: "it takes over two weeks now", "spread over three days now".
  /(?<!\b(?:in|within|than|by|every|just|only|takes?|taking|costs?|lasts?|spread|split)\s)\bover\s$/iu,
  // The beginning of a clause; but "it used to take five days, four days now".
  new RegExp(`(?:^|[.!?;]\\s|(?<!(?:day|week|month|year)s?),\\s|[\\n(–—])[\\s"“‘*]*${ROUGHLY}`, 'iu'),
];
/** What is still to come, or is now so often: "two weeks now until the wedding". */
const NO_DURATION_AFTER = /^[\s,]{1,2}(?:until|till|before|per|instead|and\sthen|left|to\sgo|away)(?![\p{L}\p{N}_-])/iu;

/**
 * Durations that last until `saidAt` (epoch ms), each with when it began: "seven years now", "since 2016". Only where the
 * words around say that it lasts: "I work three days a week now" is a rate.
 */
export function listDurations(text: string, saidAt: number): { start: number; end: number; rendered: string }[] {
  if (!MAY_LAST.test(text)) return [];
  const resolveAgo = createAgoResolver(saidAt);
  return Array.from(text.matchAll(COUNT_NOW), ({ 0: words, index, groups }) => {
    const [count, end] = [groups!['count']!, index + words.length];
    if (!isDuration(count, text.slice(Math.max(0, index - MAX_DISTANCE), index), text.slice(end, end + 16))) return [];
    const began = resolveAgo(parseCount(count), groups!['unit']!);
    if (began === null) return [];
    const rendered = `since ${began.granularity === 'week' ? 'the ' : ''}${renderDate(began)}`;
    return [{ start: index, end, rendered }];
  }).flat();
}

function isDuration(count: string, before: string, after: string): boolean {
  if (NO_DURATION_AFTER.test(after)) return false;
  // "I pay 30 euros a month now": an article alone may say how often.
  return (/^an?$/i.test(count) ? [FOR_OR_BEEN] : EVIDENCE).some((evidence) => evidence.test(before));
}
