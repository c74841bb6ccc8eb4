import type { PiiSpan } from '../pii-types.js';
import { matchesIn, type ScanView } from '../scan-view.js';

const RANK = 4;
const LOOK_BACK = 64;
const LOOK_AHEAD = 48;
const TRIGGER =
  /key|token|secret|credential|schl[üu]ssel|cl[ée]|clave|chiave|chave|sleutel|nyckel|ключ|キー|密钥|密鑰/i;
const TOKEN = /(?<![\w\-./+=:~@#%&?])[A-Za-z0-9][A-Za-z0-9_\-+/=~.]{11,200}(?![\w@])/g;

const NAME = String.raw`(?:key|token|secret|credentials?|schl[üu]ssel|cl[ée]|clave|chiave|chave|sleutel|nyckel|ключ|キー|密钥|密鑰)`;
// The name and what connects it with the value: "the key is …", "key: …", "la clave de la API es …".
const NAMED_BEFORE = new RegExp(
  String.raw`${NAME}(?:\s(?:de|der|del|della|da|for|of|für)\s(?:la\s|the\s|l')?[\p{L}-]{2,20})?(?:\s(?:is|was|ist|lautet|est|es|è|é|er|är)\s(?:now\s)?|\s?[:=：→]\s?|\s[–—-]\s|は|是|\s)["'\u0060]?$`,
  'iu',
);
const NAME_NEARBY = new RegExp(String.raw`(?<![\p{L}\p{N}]|public )(?:api[ -]?)?${NAME}(?![\p{L}\p{N}])`, 'iu');
// What is public, or identifies something: hashes, fingerprints, ids, links.
const PUBLIC_BEFORE =
  /(?:public|fingerprint|sha-?\d*|md5|commit|hash|checksum|digest|integrity|uuid|id|etag|version|primary|foreign|partition|sort|cache|ssh-\w+)[\s:=-]{0,3}(?:key)?\W{0,3}$/i;
const HEX = /^(?:0x)?[0-9a-f]+$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Keys without a known form: a random token to which the text gives the name of a key or token. */
export function findFreeFormKeys(view: ScanView): PiiSpan[] {
  const { text } = view;
  if (!TRIGGER.test(text)) return [];
  return matchesIn(view, TOKEN).flatMap(({ 0: written, index }) => {
    const token = written.replace(/[.=~_/+-]+$/, (end) => (/^=+$/.test(end) ? end : ''));
    const before = text.slice(Math.max(0, index - LOOK_BACK), index);
    if (
      PUBLIC_BEFORE.test(before) ||
      !isNamedKey(token, before, text.slice(index + token.length, index + token.length + LOOK_AHEAD))
    )
      return [];
    const start = index + view.offset;
    return [{ start, end: start + token.length, type: 'SECRET' as const, rank: RANK }];
  });
}

function isNamedKey(token: string, before: string, after: string): boolean {
  if (UUID.test(token)) return false;
  if (NAMED_BEFORE.test(before)) return isRandom(token, 12);
  return (
    !HEX.test(token) &&
    isRandom(token, 20) &&
    hasBothCases(token) &&
    (NAME_NEARBY.test(before) || NAME_NEARBY.test(after))
  );
}

function hasBothCases(token: string): boolean {
  return /[a-z]/.test(token) && /[A-Z]/.test(token);
}

const MIN_ENTROPY_BITS = 3;
// Letters and digits change places often in a random token, and rarely in a name with a number.
const MIN_CHANGES_SHARE = 0.25;
const LONGEST_WORD = 6;

/** True for at least `atLeast` units with digits, of high entropy (bits per unit), that contain no word. */
function isRandom(token: string, atLeast: number): boolean {
  if (token.length < atLeast || !/\d/.test(token) || !/[a-z]/i.test(token)) return false;
  if (new RegExp(`[a-z]{${LONGEST_WORD + 1}}`).test(token) || /[/.]/.test(token)) return false;
  return entropyOf(token) >= MIN_ENTROPY_BITS && countChanges(token) / token.length >= MIN_CHANGES_SHARE;
}

/** Shannon's entropy of the units, in bits. */
function entropyOf(token: string): number {
  const counts = new Map<string, number>();
  for (const unit of token) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / token.length) * Math.log2(count / token.length);
  return bits;
}

function countChanges(token: string): number {
  let changes = 0;
  for (let index = 1; index < token.length; index += 1) {
    if (kindOf(token.charAt(index)) !== kindOf(token.charAt(index - 1))) changes += 1;
  }
  return changes;
}

function kindOf(unit: string): string {
  if (/\d/.test(unit)) return 'digit';
  return /[a-z]/.test(unit) ? 'lower' : 'other';
}
