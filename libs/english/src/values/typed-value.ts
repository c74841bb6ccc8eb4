import { MONTHS, NUMBER_WORDS } from '../words/word-lists.js';

/** A predicate with its value apart: "is on 3 June 2026" is `frame` "is on <date>" and `value` "3 june 2026". */
export interface TypedValue {
  readonly frame: string;
  readonly value: string;
}

const MONTH = `(?:${MONTHS.join('|')})`;
const WEEKDAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?';
const NUMBER = `(?:\\d+(?:[.,:]\\d+)*|${NUMBER_WORDS.slice(1).join('|')})`;
const NAME_WORD = "(?:\\p{Lu}[\\p{L}\\d'’.-]*|\\d+)";

/** In order; the first that matches the end of a predicate is its type. Each begins at a word. */
const TYPES: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['<date>', new RegExp(`(?:\\d{1,2}(?:st|nd|rd|th)? ${MONTH}|${MONTH} \\d{1,2}(?:st|nd|rd|th)?)(?:,? \\d{4})?$`, 'u')],
  ['<date>', new RegExp(`(?:the week of )?\\d{1,2} ${MONTH} \\d{4}(?: \\(\\p{Ll}+\\))?$|${MONTH} \\d{4}$`, 'u')],
  ['<date>', new RegExp(`(?:next |this )?${WEEKDAY}(?: (?:morning|afternoon|evening)s?)?$`, 'u')],
  [
    '<time>',
    new RegExp(`(?:(?:(?:half|quarter) (?:past|to) )?${NUMBER}(?: ?[ap]\\.?m\\.?| o'clock)|noon|midnight)$`, 'u'),
  ],
  ['<time>', new RegExp(`(?<=(?:^|\\s)(?:at|until|till|before|after) )${NUMBER}$`, 'u')],
  [
    '<colour>',
    /(?:(?:dark|light|bright) )?(?:red|blue|green|yellow|black|white|gr[ae]y|brown|orange|purple|pink|silver|beige)$/u,
  ],
  [
    '<ordinal>',
    /(?:ground|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|top)(?= (?:floor|row|level|semester|year|grade)$)/u,
  ],
  ['<number>', new RegExp(`${NUMBER}(?=(?: ?(?:%|€|\\$|\\p{Ll}[\\p{Ll}-]*)){0,5}$)`, 'u')],
  ['<name>', /(?=\S*\d)\p{L}[\p{L}\d._/-]*$/u],
  [
    '<name>',
    new RegExp(
      `(?:(?:Dr|Mr|Mrs|Ms|Prof)\\. |\\d+\\p{Ll}? )?\\p{Lu}[\\p{L}\\d'’.+#-]*(?: (?:(?:de|van|von|of|la) )?${NAME_WORD}){0,3}(?: \\p{Ll}+itive)?$`,
      'u',
    ),
  ],
];

const ARTICLE = /^(?:an?|the) /u;

/**
 * The value at the end of a predicate, by its type; null when the predicate ends in plain words. `words` has no final
 * mark and no trailing "now".
 */
export function readTypedValue(words: string): TypedValue | null {
  for (const [type, pattern] of TYPES) {
    const match = new RegExp(`(?<=^|\\s)(?:${pattern.source})`, 'u').exec(words);
    if (!match) continue;
    const before = words.slice(0, match.index);
    const rest = words.slice(match.index + match[0].length);
    const lead = type === '<name>' ? before.replace(/(?:^|(?<= ))(?:an?|the) $/u, '') : before;
    return { frame: `${lead}${type}${rest}`.toLowerCase(), value: match[0].toLowerCase().replace(ARTICLE, '') };
  }
  return null;
}
