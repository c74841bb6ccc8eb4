import type { PiiSpan } from '../pii-types.js';

const RANK = 3;
const MAX_AUTHORITY = 400;
const AUTHORITY_END = /[\s/?#"'<>\ue000]/;

/** User and password before the "@" of a URL ("postgres://user:password@host"); the host stays readable. */
export function findUrlCredentials(scanText: string): PiiSpan[] {
  const spans: PiiSpan[] = [];
  for (let at = scanText.indexOf('://'); at >= 0; at = scanText.indexOf('://', at + 3)) {
    const start = at + 3;
    const candidate = scanText.slice(start, start + MAX_AUTHORITY);
    const authorityEnd = candidate.search(AUTHORITY_END);
    const authority = authorityEnd < 0 ? candidate : candidate.slice(0, authorityEnd);
    const userInfo = authority.slice(0, Math.max(0, authority.lastIndexOf('@')));
    if (/.:./.test(userInfo) || /^:./.test(userInfo)) {
      spans.push({ start, end: start + userInfo.length, type: 'SECRET', rank: RANK });
    }
  }
  return spans;
}
