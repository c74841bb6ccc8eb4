import { isIPv6 } from 'node:net';
import type { PiiSpan } from '../pii-types.js';
import { matchesIn, type ScanView } from '../scan-view.js';

const RANK = 8;
const IPV4 = /(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?![\w]|\.\d)/g;
const VERSION_CUE =
  /(?:\b(?:version|release|build|firmware|section|chapter|clause|enzyme|oid|ec|rev|ver|v)\.?|\p{L}\/)\s{0,3}$/iu;
const CUE_LENGTH = 16;
// Bounded, and never starts in the middle of such a run, so the time is linear.
const IPV6_RUN = /(?<![\w:.])(?=[0-9a-f]{0,4}:)[0-9a-f:][0-9a-f:.]{2,44}(?![\w:])/gi;

export function findIpAddresses(view: ScanView): PiiSpan[] {
  return [...findIpv4(view), ...findIpv6(view)].map(({ start, end }) => ({
    start: start + view.offset,
    end: end + view.offset,
    type: 'IP',
    rank: RANK,
  }));
}

// The machine itself, any machine, and network masks belong to nobody.
const NOBODYS = /^(?:127\.|0\.0\.0\.0$|255\.)/;

/** Unless a word such as "version" precedes it: a leaked address does more harm than a redacted version. */
function findIpv4(view: ScanView): { start: number; end: number }[] {
  return matchesIn(view, IPV4)
    .filter(
      ({ 0: address, index }) =>
        !NOBODYS.test(address) && !VERSION_CUE.test(view.text.slice(Math.max(0, index - CUE_LENGTH), index)),
    )
    .map(({ 0: address, index }) => ({ start: index, end: index + address.length }));
}

/** IPv6 addresses with at least two groups, five hex digits and a decimal digit (so "a::b" in code is not redacted). */
function findIpv6(view: ScanView): { start: number; end: number }[] {
  if (!view.text.includes(':')) return [];
  return matchesIn(view, IPV6_RUN).flatMap(({ 0: run, index }) => {
    const address = run.replace(/[.:]$/, (end) => (run.endsWith('::') ? end : ''));
    return isPlausibleIpv6(address) ? [{ start: index, end: index + address.length }] : [];
  });
}

function isPlausibleIpv6(address: string): boolean {
  const groups = address.split(/[:.]/).filter((group) => group !== '');
  return groups.length >= 2 && groups.join('').length >= 5 && /\d/.test(address) && isIPv6(address);
}
