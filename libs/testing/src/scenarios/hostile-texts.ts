import { SeededRng } from '@annals/domain';

/** A kind of text that makes a text library or a pattern slow: `make` returns one of exactly `length` UTF-16 units. */
export interface HostileText {
  readonly name: string;
  make(length: number): string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const BASE64 = `${LETTERS}${LETTERS.toUpperCase()}0123456789+/`;
const HEX = '0123456789abcdef';
const CJK = '我昨天在東京和朋友一起吃了很好的拉麵然後去公園散步';

/** One unit, again and again. */
const REPEATED: Readonly<Record<string, string>> = {
  'one letter': 'a',
  'one capital': 'A',
  'one digit': '7',
  'one space': ' ',
  'a letter and blanks': 'a          ',
  'digits in blocks of four': '4111 ',
  'digits with dashes': '555-',
  'digits with dots': '1.',
  'digits and commas': '1,234,567,',
  'plus and digits': '+49 ',
  'card numbers': '4111 1111 1111 1111 ',
  'phone numbers': '+1 (415) 555-0132 ',
  ibans: 'DE89 3704 0044 0532 0130 00 ',
  'addresses of mail': 'a@b.co ',
  'local parts without an end': 'a.b.c.d.',
  'at signs': 'a@',
  'domains without an end': 'a@b.',
  'internet addresses': '10.0.0.1 ',
  'colons and digits': 'fe80:',
  'one link after the other': 'https://example.com/a?b=c&d=e ',
  'links with passwords': 'https://user:password@example.com/ ',
  'a path without an end': '/a',
  'percent escapes': '%41',
  emoji: '😀',
  'joined emoji': '👩\u200d👩\u200d👧\u200d👦',
  flags: '🇩🇪',
  'variation selectors': '❤\ufe0f',
  'combining marks': 'e\u0301\u0323\u0308',
  'one mark': '\u0301',
  'zero-width spaces': 'a\u200b',
  'soft hyphens': 'so\u00adft',
  'right to left': 'שלום עולם ',
  'arabic ligatures': '\ufdfa',
  'full-width letters': 'ＡＢＣ１２３',
  'thai without blanks': 'สวัสดีครับผมชื่อ',
  hangul: '안녕하세요저는',
  cyrillic: 'Привет как дела ',
  'mixed scripts': 'aбγ中א1',
  'titles with a dot': 'Mr. ',
  'abbreviations of all kinds': 'e.g. Mr. Dr. i.e. No. 5 U.S. J. etc. a.m. ',
  initials: 'A. B. C. ',
  'full stops': '.',
  'ellipses and blanks': '… ',
  'question marks': '?!',
  'full stops after letters': 'a.',
  'a list of numbers': '1. 2) ',
  dashes: '-',
  'long dashes': '—',
  'dashes and blanks': ' - ',
  commas: ', ',
  semicolons: '; ',
  'double quotes': '"',
  'opening quotes': '“',
  'single quotes': " 'a b ",
  'apostrophes in words': "a'",
  backticks: '`',
  'opening brackets': '(',
  'nested brackets': '[{(',
  'angle brackets': '<|',
  'control tokens': '<|endoftext|>',
  'line breaks': '\n',
  'lines of one letter': 'a\n',
  'carriage returns': '\r\n',
  tabs: '\t',
  'forwarded lines': '> ',
  'backslashes and quotes': '\\"',
  'placeholders of redaction': '[redacted email] ',
  conditions: 'if if if ',
  reasons: 'because because ',
  conjunctions: 'and I and my ',
  'I am and I was': 'I am I was ',
  'polite requests': 'please just you can ',
  'call me': 'Call me ',
  'remember that': 'remember that my name is ',
  'save these steps': 'Save these steps: ',
  greetings: 'ok, yes, hi, ',
  'days of the week': 'Monday ',
  'the day before': 'the day before yesterday ',
  dates: 'May 5 2024, 3/4/2024 ',
  'months and numbers': 'may 1 ',
  'ISO times': '2024-05-06T07:08:09Z ',
  'slashes and digits': '1/2/',
  ordinals: '1st 2nd 3rd of ',
  'names with capitals': 'Ana Maria ',
  possessives: "Ana's mother's friend's ",
  'my long phrase': 'my very own little ',
  'JSON objects': '{"key": "value", "list": [1, 2]}, ',
  'lines of code': 'const a = b => { return a[b](c); };\n',
  'assigned secrets': 'password = hunter2; api_key: abcdef123456 ',
  'an English sentence': 'I moved to Lisbon last month and my sister lives in Porto. ',
  'a word without an end': 'anti-dis-establish-',
  'long numbers in words': 'one two twenty-three hundred ',
};

const RANDOM: Readonly<Record<string, string>> = {
  base64: BASE64,
  hexadecimal: HEX,
  'random letters': LETTERS,
  'random letters and blanks': `${LETTERS}   `,
  'random signs': '.,;:!?-()[]{}<>"\'`~@#$%^&*_+=|\\/ ',
  'chinese without blanks': CJK,
  'digits of any kind': '0123456789 .-()+/',
};

/** Over 60 kinds, the same ones each time. */
export const HOSTILE_TEXTS: readonly HostileText[] = [
  ...Object.entries(REPEATED).map(([name, unit]) => ({ name, make: (length: number) => repeat(unit, length) })),
  ...Object.entries(RANDOM).map(([name, alphabet]) => ({ name, make: (length: number) => pick(alphabet, length) })),
];

function repeat(unit: string, length: number): string {
  return unit
    .repeat(Math.ceil(length / unit.length))
    .slice(0, length)
    .toWellFormed();
}

function pick(alphabet: string, length: number): string {
  const rng = new SeededRng(7);
  return Array.from({ length }, () => alphabet[Math.floor(rng.nextFloat() * alphabet.length)]).join('');
}
