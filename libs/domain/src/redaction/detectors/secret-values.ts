import type { PiiSpan } from '../pii-types.js';
import { matchesIn, type ScanView } from '../scan-view.js';

const RANK = 3;

export const QUOTED = String.raw`"[^"\n\ue000]{3,300}"|'[^'\n\ue000]{3,300}'|\u0060[^\u0060\n\ue000]{3,300}\u0060`;
/** A value up to a blank, a quote, an ampersand or a tag. */
export const BARE = String.raw`[^\s"'\u0060\ue000&<]{4,300}`;

const PLACEHOLDER_WORD =
  /^(?:null|undefined|none|nil|true|false|string|str|number|boolean|bool|int|any|object|required|optional|hidden|missing|invalid|expired|password|passwd|passwort|pass|pw|pwd|secret|token|key|changeme|redacted|masked|example|xxx+|\*+|x{3,}|\.{3,}|your[\w-]*|my[-_]\w+|[\w-]*_here|todo|see|n\/a|\u2026+)$/i;
// "APP_PASSWORD": the name of a constant.
const CONSTANT = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
// "[REDACTED]", "${…}", "$NAME", "$(…)", "{{ … }}", "<…>", "%NAME%".
const TEMPLATE = /^(?:\[\w[\w ]*\]$|\$[\w({[]|\{\{|\{[\w .]+\}|<|%\w+%$|@\w+@$)/;
// "req.body.password", "getToken()", "os.environ[".
const EXPRESSION = /^[A-Za-z_$][\w$]*(?:(?:\??\.|->|::)[A-Za-z_$][\w$]*)+[([;,)]*$|^[A-Za-z_$][\w$.]*[([]/;
const OPENING_QUOTE = /^["'\u0060]/;
const TRAILING = /[.,;:)\]}>"'\u0060]+$/;
// A connection string goes on: "Password=…;Encrypt=true".
// A link in Markdown ends: "[text](…?token=…)](…)".
const NEXT_FIELD = /;(?=[ \t]?[A-Za-z][\w .]{0,40}=|$)|\)?\](?=\()/;

/** A value without quotes, without what follows it in a connection string, and without punctuation at its end. */
function trimValue(value: string): string {
  const inner = OPENING_QUOTE.test(value) ? value.slice(1, -1) : value.slice(0, endOfField(value));
  return OPENING_QUOTE.test(value) ? inner : inner.replace(TRAILING, '');
}

function endOfField(value: string): number {
  const end = value.search(NEXT_FIELD);
  return end < 0 ? value.length : end;
}

/** "<token>", "${TOKEN}" or a word that stands for a value. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER_WORD.test(value) || TEMPLATE.test(value);
}

/** True for a placeholder, and for code that reads the value from somewhere. */
function isPlaceholderOrCode(value: string): boolean {
  return isPlaceholder(value) || EXPRESSION.test(value) || CONSTANT.test(value);
}

/** True for what no ordinary word looks like: a digit beside letters, or a sign inside. */
export function isUnlikeWord(value: string): boolean {
  if (value.length < 4 || /^[\d.,:/-]+%?$/.test(value) || /^(?:19|20)\d\d-\d\d/.test(value)) return false;
  return (/\d/.test(value) && /\p{L}/u.test(value)) || /[!@#$%^*_+~?](?=.)/.test(value);
}

export type Accepts = (value: string, match: RegExpExecArray, view: ScanView) => boolean;

/** The last group that took part in each match, as a secret, if `accepts` its trimmed value. */
export function collectSecrets(
  view: ScanView,
  pattern: RegExp,
  accepts: Accepts,
  isNoValue: (value: string) => boolean = isPlaceholderOrCode,
): PiiSpan[] {
  return matchesIn(view, pattern).flatMap((match) => {
    const range = match.indices?.findLast((indices, group) => group > 0 && indices !== undefined);
    if (!range) return [];
    const written = view.text.slice(...range);
    const value = trimValue(written);
    if (value === '' || isNoValue(value) || !accepts(value, match, view)) return [];
    const start = range[0] + (OPENING_QUOTE.test(written) ? 1 : 0) + view.offset;
    return [{ start, end: start + value.length, type: 'SECRET' as const, rank: RANK }];
  });
}
