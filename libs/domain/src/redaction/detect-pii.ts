import type { CountryCode } from 'libphonenumber-js';
import { MAX_SLICE_UNITS, type Sliced } from '../text/sliced.js';
import { findAccessCodes } from './detectors/access-codes.js';
import { findApiKeys, findJsonWebTokens } from './detectors/api-keys.js';
import { findCards } from './detectors/cards.js';
import { findCredentials } from './detectors/credentials.js';
import { findEmails } from './detectors/emails.js';
import { findFreeFormKeys } from './detectors/free-form-keys.js';
import { findIbans } from './detectors/ibans.js';
import { findIpAddresses } from './detectors/ip-addresses.js';
import { findNamedIds } from './detectors/named-ids.js';
import { findNamedSecrets } from './detectors/named-secrets.js';
import { findNationalIds } from './detectors/national-ids.js';
import { findPhones } from './detectors/phone.js';
import { findPrivateKeys } from './detectors/private-keys.js';
import { findSpeltEmails } from './detectors/spelt-emails.js';
import { readNumbers } from './number-groups.js';
import type { PiiSpan } from './pii-types.js';
import type { Range, ScanText } from './scan-text.js';
import { type ScanView, UNITS_AFTER, UNITS_BEFORE, viewOf } from './scan-view.js';

/**
 * Spans of the scan text in order, without overlaps, whose beginning is in one of `regions` (in order, apart). Where two
 * overlap, the more specific pattern wins, then the longer span; what is left uncovered is for a later pass.
 */
export function* detectPii(
  scan: ScanText,
  regions: readonly Range[],
  country: CountryCode,
  sliceUnits: number = MAX_SLICE_UNITS,
): Sliced<PiiSpan[]> {
  const kept: PiiSpan[] = [];
  let waiting: PiiSpan[] = [];
  let units = 0;
  for (const { start, end } of regions) {
    for (let from = start; from < end; from += sliceUnits) {
      const to = Math.min(end, from + sliceUnits);
      // Small regions are read with their surroundings, so these count, too.
      units += to - from + (units > 0 ? UNITS_BEFORE : 0);
      if (units > sliceUnits) {
        yield;
        units = to - from;
      }
      waiting.push(...detectInView(viewOf(scan, from, to), country));
      // A span may begin before the sign by which it is found, so those near the end wait for the next slice.
      waiting = keepSpans(kept, waiting, to - UNITS_BEFORE);
    }
  }
  keepSpans(kept, waiting, Infinity);
  return kept;
}

/** Where spans may be found after `changes` of the scan text: in what a detector reads around each of them. */
export function regionsAround(changes: readonly Range[], length: number): Range[] {
  const regions: { start: number; end: number }[] = [];
  for (const change of changes) {
    const start = Math.max(0, change.start - UNITS_AFTER);
    const end = Math.min(length, change.end + UNITS_BEFORE);
    const last = regions.at(-1);
    if (last && start <= last.end) last.end = end;
    else regions.push({ start, end });
  }
  return regions;
}

/** Detectors only run if the view has the signs that they need. */
function detectInView(view: ScanView, country: CountryCode): PiiSpan[] {
  return [
    ...findApiKeys(view),
    ...findJsonWebTokens(view),
    ...findPrivateKeys(view),
    ...findNamedSecrets(view),
    ...findAccessCodes(view),
    ...findCredentials(view),
    ...findFreeFormKeys(view),
    ...findEmails(view),
    ...findSpeltEmails(view),
    ...(/\d/.test(view.text) ? detectNumbers(view, country) : []),
  ];
}

function detectNumbers(view: ScanView, country: CountryCode): PiiSpan[] {
  const numbers = readNumbers(view);
  const hasLongNumber = /\d(?:[ .\-/()_\r\n>]{0,4}\d){6}/.test(numbers.text);
  return [
    ...findIpAddresses(view),
    ...findIbans(view, numbers.text),
    ...findNamedIds(view),
    ...findNationalIds(view, numbers.text, hasLongNumber, country),
    ...(hasLongNumber ? [...findCards(view, numbers), ...findPhones(view, numbers, country)] : []),
  ];
}

/** Adds the spans that begin before `limit` to `kept`, and returns the others. */
function keepSpans(kept: PiiSpan[], spans: readonly PiiSpan[], limit: number): PiiSpan[] {
  const later: PiiSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || comparePrecedence(a, b))) {
    if (span.start >= limit) {
      later.push(span);
      continue;
    }
    const last = kept.at(-1);
    if (!last || span.start >= last.end) kept.push(span);
    else if (comparePrecedence(span, last) < 0) kept[kept.length - 1] = span;
  }
  return later;
}

function comparePrecedence(a: PiiSpan, b: PiiSpan): number {
  return a.rank - b.rank || b.end - b.start - (a.end - a.start) || a.start - b.start;
}
