import type { PiiSpan } from '../pii-types.js';

const RANK = 3;
const TRIGGER = /pass|pwd|secret|token|key|bearer|authorization/i;

const PASSWORD_NAME = String.raw`pass(?:word|wd|phrase|code)|pwd`;
// The lookbehind is only evaluated at "key", which keeps the search fast.
const SECRET_NAME = String.raw`(?<=(?:api|access|secret|private|auth|encryption|signing)[ _-]?)key|secret|token`;
const SIGN = String.raw`["'\u0060]?\s{0,3}(?::=|=>|[:=])\s{0,3}`;
const QUOTED = String.raw`"[^"\n\ue000]{3,300}"|'[^'\n\ue000]{3,300}'|\u0060[^\u0060\n\ue000]{3,300}\u0060`;
const BARE = String.raw`[^\s"'\u0060\ue000&]{4,300}`;

const ASSIGNED = new RegExp(`(?:(${PASSWORD_NAME})|${SECRET_NAME})${SIGN}(${QUOTED}|${BARE})`, 'dgi');
// In a sentence, only values that cannot be ordinary words: "my password is hunter2", not "my password is too short".
const SAID = new RegExp(
  String.raw`(?:${PASSWORD_NAME}|token|api[ _-]?key)\s{1,3}(?:is|was)\s{1,3}(?:now\s{1,3})?(${QUOTED}|(?=[^\s\ue000]{0,60}[\d!@#$%^*_])[^\s\ue000]{4,300})`,
  'dgi',
);
const BEARER =
  /\bbearer\s{1,3}([\w.~+/=-]{16,4000})|\bauthorization["']?\s{0,3}:\s{0,3}["']?basic\s{1,3}([A-Za-z0-9+/=]{8,4000})/dgi;

const NOT_A_SECRET =
  /^["'`]?(?:null|undefined|none|true|false|string|number|required|optional|hidden|process\.env.*|\*+|x{3,}|\.{3,}|<.*>|\$\{.*\}?)[.,;)"'`}\]]*$/i;

/** Values given to a name such as "password", "token" or "api_key", and HTTP authorization headers. */
export function findAssignedSecrets(scanText: string): PiiSpan[] {
  if (!TRIGGER.test(scanText)) return [];
  return [
    ...(/[:=]/.test(scanText) ? collect(scanText, ASSIGNED, isSecretValue) : []),
    ...(/\s(?:is|was)\s/i.test(scanText) ? collect(scanText, SAID, isSecretValue) : []),
    ...collect(scanText, BEARER),
  ];
}

function collect(
  scanText: string,
  pattern: RegExp,
  accepts: (value: string, isPassword: boolean) => boolean = () => true,
): PiiSpan[] {
  return [...scanText.matchAll(pattern)].flatMap((match) => {
    const range = match.indices?.findLast((indices, group) => group > 0 && indices !== undefined);
    const value = range ? scanText.slice(...range) : '';
    if (!range || !accepts(value, match.length < 3 || match[1] !== undefined)) return [];
    return [{ start: range[0], end: range[1], type: 'SECRET' as const, rank: RANK }];
  });
}

// "token: five" is a sentence; a real token has a digit or is long.
function isSecretValue(value: string, isPassword: boolean): boolean {
  if (NOT_A_SECRET.test(value)) return false;
  return isPassword || value.length >= 20 || (value.length >= 6 && /\d/.test(value));
}
