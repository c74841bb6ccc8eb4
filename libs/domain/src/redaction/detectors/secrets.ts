import type { PiiSpan } from '../pii-types.js';

const PRIVATE_KEY_RANK = 1;
const PEM_OPENING = '-----BEGIN ';
const PEM_CLOSING = '-----END ';
const PEM_LABEL = /^[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const CLOSING_LABEL = /^[A-Z0-9 ]{0,60}-----/;
const MAX_LABEL = 80;
// Lines of Base64 with their (possibly escaped) line ends: the rest of a key whose end is missing.
const KEY_BODY = /(?:\s|\\[nr]|[A-Za-z0-9+/=]{16,})*/y;

/** PEM private keys; one without its end line is redacted as far as it is Base64. */
export function findPrivateKeys(scanText: string): PiiSpan[] {
  const spans: PiiSpan[] = [];
  let start = scanText.indexOf(PEM_OPENING);
  while (start >= 0) {
    const label = PEM_LABEL.exec(scanText.slice(start + PEM_OPENING.length, start + PEM_OPENING.length + MAX_LABEL));
    const end = label ? findKeyEnd(scanText, start + PEM_OPENING.length + label[0].length) : start + PEM_OPENING.length;
    if (label) spans.push({ start, end, type: 'SECRET', rank: PRIVATE_KEY_RANK });
    start = scanText.indexOf(PEM_OPENING, end);
  }
  return spans;
}

function findKeyEnd(text: string, bodyStart: number): number {
  const nextOpening = text.indexOf(PEM_OPENING, bodyStart);
  const limit = nextOpening < 0 ? text.length : nextOpening;
  const closing = text.slice(bodyStart, limit).indexOf(PEM_CLOSING);
  if (closing < 0) {
    KEY_BODY.lastIndex = bodyStart;
    return bodyStart + (KEY_BODY.exec(text)?.[0].trimEnd().length ?? 0);
  }
  const labelStart = bodyStart + closing + PEM_CLOSING.length;
  return labelStart + (CLOSING_LABEL.exec(text.slice(labelStart, labelStart + MAX_LABEL))?.[0].length ?? 0);
}

const API_KEY_RANK = 2;

// After the issuers' published formats. `(?=…\d)` requires a digit where the rest could be words.
const API_KEY = new RegExp(
  String.raw`(?<![A-Za-z0-9_])(?:` +
    [
      String.raw`A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])`, // AWS access key
      String.raw`AIza[\w-]{35}`, // Google
      String.raw`gh[pousr]_[A-Za-z0-9]{20,255}`, // GitHub
      String.raw`github_pat_\w{22,255}`,
      String.raw`glpat-[\w.-]{20,255}`, // GitLab
      String.raw`xox[abeoprs]-[\w-]{10,255}`, // Slack
      String.raw`xapp-[\w-]{10,255}`,
      String.raw`(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,255}`, // Stripe
      String.raw`whsec_[A-Za-z0-9+/=]{20,255}`,
      String.raw`sk-ant-[\w-]{10,255}`, // Anthropic
      String.raw`sk-(?=[A-Za-z_-]{0,200}\d)[\w-]{20,255}`, // OpenAI and compatible
      String.raw`npm_[A-Za-z0-9]{36}`,
      String.raw`hf_[A-Za-z0-9]{30,255}`, // Hugging Face
      String.raw`(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])`, // Twilio
      String.raw`SG\.[\w-]{16,64}\.[\w-]{16,128}`, // SendGrid
      String.raw`ann_(?=[a-z_-]{0,200}[A-Z0-9])[\w-]{16,255}`, // Annals
    ].join('|') +
    ')',
  'g',
);
const API_KEY_TRIGGER =
  /A(?:KIA|SIA|Iza|C[0-9a-f]{8})|g(?:h[pousr]_|ithub_pat_|lpat-)|x(?:ox[abeoprs]-|app-)|[srp]k_|whsec_|sk-|npm_|hf_|S(?:K[0-9a-f]{8}|G\.)|ann_/;

const JWT = /(?<![\w-])eyJ[\w-]{8,4000}\.eyJ[\w-]{4,8000}\.[\w-]{0,2000}/g;

export function findApiKeys(scanText: string): PiiSpan[] {
  if (!API_KEY_TRIGGER.test(scanText)) return [];
  return [...scanText.matchAll(API_KEY)].map(({ 0: key, index }) => toSpan(index, key));
}

/** JSON Web Tokens: two Base64url parts that begin like JSON objects, and a signature. */
export function findJsonWebTokens(scanText: string): PiiSpan[] {
  if (!scanText.includes('eyJ')) return [];
  return [...scanText.matchAll(JWT)].map(({ 0: token, index }) => toSpan(index, token));
}

function toSpan(start: number, secret: string): PiiSpan {
  return { start, end: start + secret.length, type: 'SECRET', rank: API_KEY_RANK };
}

const NAMED_RANK = 3;
const ASSIGNED_TRIGGER = /pass|pwd|secret|token|key|bearer|authorization/i;

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
  if (!ASSIGNED_TRIGGER.test(scanText)) return [];
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
    return [{ start: range[0], end: range[1], type: 'SECRET' as const, rank: NAMED_RANK }];
  });
}

// "token: five" is a sentence; a real token has a digit or is long.
function isSecretValue(value: string, isPassword: boolean): boolean {
  if (NOT_A_SECRET.test(value)) return false;
  return isPassword || value.length >= 20 || (value.length >= 6 && /\d/.test(value));
}

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
      spans.push({ start, end: start + userInfo.length, type: 'SECRET', rank: NAMED_RANK });
    }
  }
  return spans;
}
