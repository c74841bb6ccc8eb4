import type { PiiSpan } from '../pii-types.js';
import { matchesIn, type ScanView } from '../scan-view.js';

const RANK = 5;
const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;
const LOCAL_CHARACTER = /[\p{L}\p{N}\p{M}._%+\-'&*=^{|}~]/u;
const DOMAIN_CHARACTER = /[\p{L}\p{N}\p{M}.-]/u;
const DOMAIN =
  /^(?:[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.)+(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu;
// "@" itself, percent-encoded up to three times, or as a character reference of HTML.
const AT = /@|%(?:25){0,2}40|&#(?:0{0,4}64|x0{0,4}40);|&commat;/gi;
// Signs that separate fields of a link, percent-encoded.
const ENCODED_SEPARATOR = /%(?:25){0,2}(?:3D|26|3F|2F|3A|20|22|3C|2C|3B|5B|7B|0A|0D|09)/gi;
const FIELD_NAME = /^(?:[^+]*&)?[\w.-]{1,30}=(?=.)/;
// Scripts without blanks between words: "メールはjo@…です".
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]`;
const UNSPACED_BEFORE = new RegExp(`^.*${UNSPACED}(?=[!-~]+$)`, 'u');
const UNSPACED_AFTER = new RegExp(String.raw`^([!-~]*\.[!-~]+?)${UNSPACED}`, 'u');

// "git@github.com" names a server, "logo@2x.png" a picture.
const NO_ADDRESS = /^git@|@\dx\.\p{L}{3,4}$/iu;

/** Grown from each "@" in both directions (RFC 5321 lengths). Quoted local parts are not found. */
export function findEmails(view: ScanView): PiiSpan[] {
  return matchesIn(view, AT).flatMap(({ 0: sign, index }) => {
    const start = findLocalStart(view.text, index, sign.startsWith('%'));
    const end = start < index ? findDomainEnd(view.text, index + sign.length) : -1;
    if (end < 0 || NO_ADDRESS.test(view.text.slice(start, end))) return [];
    return [{ start: start + view.offset, end: end + view.offset, type: 'EMAIL' as const, rank: RANK }];
  });
}

function findLocalStart(text: string, at: number, isEncoded: boolean): number {
  let start = at;
  while (start > 0 && at - start < MAX_LOCAL && LOCAL_CHARACTER.test(text.charAt(start - 1))) start -= 1;
  if (isEncoded) start += endOfLast(text.slice(start, at), ENCODED_SEPARATOR);
  start += FIELD_NAME.exec(text.slice(start, at))?.[0].length ?? 0;
  start += UNSPACED_BEFORE.exec(text.slice(start, at))?.[0].length ?? 0;
  while (start < at && ".'&*=^{|}~".includes(text.charAt(start))) start += 1;
  return start;
}

function endOfLast(text: string, pattern: RegExp): number {
  const last = [...text.matchAll(pattern)].at(-1);
  return last ? last.index + last[0].length : 0;
}

function findDomainEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && end - from < MAX_DOMAIN && DOMAIN_CHARACTER.test(text.charAt(end))) end += 1;
  const unspaced = UNSPACED_AFTER.exec(text.slice(from, end));
  if (unspaced) end = from + unspaced[1]!.length;
  while (end > from && '.-'.includes(text.charAt(end - 1))) end -= 1;
  return DOMAIN.test(text.slice(from, end)) ? end : -1;
}
