import type { PiiSpan } from '../pii-types.js';
import { matchesIn, type ScanView } from '../scan-view.js';

const RANK = 5;
const MAX_LOCAL = 100;
const MAX_LABELS = 6;
const TRIGGER =
  /[[({<]\s?(?:at|ät|@|arroba|arobase|chiocciola|małpa|zavináč|собака)\s?[\])}>]|@[ \t]|\b(?:at|arroba)\s/iu;

interface Form {
  /** The sign with the blanks around it. */
  readonly at: RegExp;
  /** What may separate the labels of the domain and the words of the local part. */
  readonly dot: RegExp;
  /** At least one separator is a word, and the domain ends as most do: the sign alone is an ordinary word. */
  readonly isWord: boolean;
}

const BRACKETED_DOT = String.raw`\s{0,2}[\[({<]\s?(?:dot|punto|ponto|punkt|point|kropka|tečka|точка|\.)\s?[\])}>]\s{0,2}`;
const WORD_DOT = String.raw`\s{1,2}(?:dot|punto|punkt)\s{1,2}`;
const FORMS: readonly Form[] = [
  {
    at: /(?<=[\p{L}\p{N}_])\s{0,2}[[({<]\s?(?:at|ät|@|arroba|arobase|chiocciola|małpa|zavináč|собака)\s?[\])}>]\s{0,2}(?=[\p{L}\p{N}])/giu,
    dot: new RegExp(String.raw`${BRACKETED_DOT}|${WORD_DOT}|\.`, 'iuy'),
    isWord: false,
  },
  {
    at: /(?<=[\p{L}\p{N}_])[ \t]{0,2}@[ \t]{1,2}(?=[\p{L}\p{N}])/giu,
    dot: /\s\.\s|\./uy,
    isWord: false,
  },
  {
    at: /(?<=[\p{L}\p{N}_])\s{1,2}(?:at|arroba)\s{1,2}(?=[\p{L}\p{N}])/giu,
    dot: new RegExp(String.raw`${BRACKETED_DOT}|${WORD_DOT}|\.`, 'iuy'),
    isWord: true,
  },
];
const LABEL = /[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?/uy;
const TOP_LEVEL = /^\p{L}{2,24}$/u;
// Of the form without signs: endings that are no ordinary words and no endings of files.
const SPOKEN_TOP_LEVEL =
  /^(?:com|org|net|edu|gov|info|biz|eu|dev|app|io|co|ai|example|test|invalid|de|ch|fr|it|es|pt|nl|lu|uk|ie|se|no|dk|fi|cz|sk|hu|ro|bg|gr|hr|si|lt|lv|ee|ru|ua|tr|il|ae|jp|cn|kr|tw|hk|sg|au|nz|ca|us|mx|br|ar|cl|za)$/i;
// Words after which "at" is a preposition.
const ORDINARY_WORD =
  /^(?:look|looks|looking|looked|is|am|are|was|were|be|been|being|meet|met|me|us|him|her|it|them|you|and|or|not|only|here|there|now|then|point|pointed|stay|stayed|stop|start|begin|end|ends|work|works|worked|working|good|bad|best|arrive|arrived|arrives|stare|laugh|shout|aim|sold|bought|price|valued|live|lives|living|based|located|hosted|found|stored|available|running|listening|site|page|file|data|all|least|once|last|first|up|down|out|in)$/i;
const LOCAL = new RegExp(
  String.raw`(?:[\p{L}\p{N}_+-]{1,40}(?:${WORD_DOT}|${BRACKETED_DOT}|\.)){0,3}[\p{L}\p{N}_+-]{1,40}$`,
  'iu',
);

/** Addresses that are written so that programs do not read them: "jo [at] mail.example", "jo at mail dot example". */
export function findSpeltEmails(view: ScanView): PiiSpan[] {
  if (!TRIGGER.test(view.text)) return [];
  return FORMS.flatMap((form) =>
    matchesIn(view, form.at).flatMap(({ 0: sign, index }) => {
      const end = findDomainEnd(view.text, index + sign.length, form);
      if (end < 0) return [];
      const local = LOCAL.exec(view.text.slice(Math.max(0, index - MAX_LOCAL), index))?.[0] ?? '';
      if (local === '' || !/\p{L}/u.test(local) || (form.isWord && ORDINARY_WORD.test(local))) return [];
      return [
        { start: index - local.length + view.offset, end: end + view.offset, type: 'EMAIL' as const, rank: RANK },
      ];
    }),
  );
}

function findDomainEnd(text: string, from: number, { dot, isWord }: Form): number {
  let [position, end, hasWord] = [from, -1, false];
  for (let count = 0; count < MAX_LABELS; count += 1) {
    const label = matchAt(LABEL, text, position);
    if (label === '') break;
    position += label.length;
    const isEnd = (isWord ? SPOKEN_TOP_LEVEL : TOP_LEVEL).test(label);
    if (count > 0 && isEnd && (hasWord || !isWord)) end = position;
    const separator = matchAt(dot, text, position);
    if (separator === '') break;
    hasWord ||= separator !== '.';
    position += separator.length;
  }
  return end;
}

function matchAt(pattern: RegExp, text: string, position: number): string {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0] ?? '';
}
