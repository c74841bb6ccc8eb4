/**
 * Texts that must share one hash, group by group; texts of different groups must not
 * (docs/reference/memory-model.md#hash-corpus).
 */
export const EQUAL_TEXT_GROUPS: readonly (readonly string[])[] = [
  [
    'great day',
    'Great Day!',
    ' Great day!!! ',
    'GREAT\tDAY?!',
    'great\u00a0 day.',
    'gre\u200bat day',
    '\ufeffgreat day;:,',
  ],
  ['great day at the beach', 'Great day at the beach.'],
  ['hello world', 'Hello world!'],
  ['hello, world', 'Hello, World...'],
  ['caf\u00e9 au lait', 'CAFE\u0301 au lait', 'Caf\u00e9\u2003au\u2003lait.'],
  ['file 42', '\ufb01le \uff14\uff12', 'FILE\u300042'],
  ['\u03bf\u03b4\u03cc\u03c2', '\u039f\u0394\u038c\u03a3'],
  ['\u0645\u0631\u062d\u0628\u0627', '\u202b\u0645\u0631\u062d\u0628\u0627\u202c'],
  ['\u6771\u4eac\u3078\u884c\u304f', '\u6771\u4eac\u3078\u884c\u304f\uff01'],
  ['one two', 'one\r\n\r\ntwo', 'one \u2028 two', 'one two\u0000'],
  ['\u{1f600} smile', '\u{1f600}  SMILE'],
  ['', '   ', '!!!', '\u200b', ' .,;: '],
];
