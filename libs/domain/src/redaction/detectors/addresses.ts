import { isIPv6 } from 'node:net';
import type { PiiSpan } from '../pii-types.js';

const EMAIL_RANK = 5;
const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;
const LOCAL_CHARACTER = /[\p{L}\p{N}\p{M}._%+\-'&*=^{|}~]/u;
const DOMAIN_CHARACTER = /[\p{L}\p{N}\p{M}.-]/u;
const DOMAIN =
  /^(?:[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.)+(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu;

/**
 * Grown from each "@" in both directions (RFC 5321 lengths), in linear time. Quoted and spelt-out forms are not found.
 */
export function findEmails(scanText: string): PiiSpan[] {
  const spans: PiiSpan[] = [];
  for (let at = scanText.indexOf('@'); at >= 0; at = scanText.indexOf('@', at + 1)) {
    const start = findLocalStart(scanText, at);
    const end = start < at ? findDomainEnd(scanText, at + 1) : at;
    if (end > at) spans.push({ start, end, type: 'EMAIL', rank: EMAIL_RANK });
  }
  return spans;
}

function findLocalStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < MAX_LOCAL && LOCAL_CHARACTER.test(text.charAt(start - 1))) start -= 1;
  while (start < at && ".'&*=^{|}~".includes(text.charAt(start))) start += 1;
  return start;
}

function findDomainEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && end - from < MAX_DOMAIN && DOMAIN_CHARACTER.test(text.charAt(end))) end += 1;
  while (end > from && '.-'.includes(text.charAt(end - 1))) end -= 1;
  return DOMAIN.test(text.slice(from, end)) ? end : -1;
}

const IP_RANK = 8;
const IPV4 = /(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?![\w]|\.\d)/g;
const VERSION_CUE = /(?:\b(?:version|release|build|firmware|section|chapter|clause|rev|ver|v)\.?|\p{L}\/)\s*$/iu;
const CUE_LENGTH = 16;
// Bounded, and never starts in the middle of such a run, so the time is linear.
const IPV6_RUN = /(?<![\w:.])(?=[0-9a-f]{0,4}:)[0-9a-f:][0-9a-f:.]{2,44}(?![\w:])/gi;

/** Unless a word such as "version" precedes it: a leaked address does more harm than a redacted version. */
export function findIpv4(scanText: string): PiiSpan[] {
  return [...scanText.matchAll(IPV4)]
    .filter(({ index }) => !VERSION_CUE.test(scanText.slice(Math.max(0, index - CUE_LENGTH), index)))
    .map(({ 0: address, index }) => ({ start: index, end: index + address.length, type: 'IP', rank: IP_RANK }));
}

/** IPv6 addresses with at least two groups, five hex digits and a decimal digit (so "a::b" in code is not redacted). */
export function findIpv6(scanText: string): PiiSpan[] {
  return [...scanText.matchAll(IPV6_RUN)].flatMap(({ 0: run, index }) => {
    const address = run.replace(/[.:]$/, (end) => (run.endsWith('::') ? end : ''));
    return isPlausibleIpv6(address) ? [{ start: index, end: index + address.length, type: 'IP', rank: IP_RANK }] : [];
  });
}

function isPlausibleIpv6(address: string): boolean {
  const groups = address.split(/[:.]/).filter((group) => group !== '');
  return groups.length >= 2 && groups.join('').length >= 5 && /\d/.test(address) && isIPv6(address);
}
