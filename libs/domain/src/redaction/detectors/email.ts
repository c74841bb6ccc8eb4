import type { PiiSpan } from '../pii-types.js';

const RANK = 5;
const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;
const LOCAL_CHARACTER = /[\p{L}\p{N}\p{M}._%+\-'&*=^{|}~]/u;
const DOMAIN_CHARACTER = /[\p{L}\p{N}\p{M}.-]/u;
const DOMAIN =
  /^(?:[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.)+(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu;

/**
 * E-mail addresses, each grown from its "@" in both directions (RFC 5321 lengths), so that the time is linear. Quoted
 * local parts and spelt-out forms ("jo at example dot com") are not recognised.
 */
export function findEmails(scanText: string): PiiSpan[] {
  const spans: PiiSpan[] = [];
  for (let at = scanText.indexOf('@'); at >= 0; at = scanText.indexOf('@', at + 1)) {
    const start = findLocalStart(scanText, at);
    const end = start < at ? findDomainEnd(scanText, at + 1) : at;
    if (end > at) spans.push({ start, end, type: 'EMAIL', rank: RANK });
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
