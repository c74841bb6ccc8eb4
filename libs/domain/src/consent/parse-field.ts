import type { SensitiveField } from '@annals/contracts';

/** A value at the beginning of a text, in its stored form, and the rest of the text. */
export interface ParsedValue {
  readonly value: string;
  readonly rest: string;
}

const PRONOUNS = /^(?:the pronouns? )?((?:she|he|they|it|xe|ze|ey|fae|any)(?:\s*\/\s*[a-z]{2,8}){1,2})\b/iu;
const MAX_VALUE_LENGTH = 80;

const FIELD_PARSERS: Record<SensitiveField, (text: string) => ParsedValue | null> = {
  preferred_name: parseProperName,
  pronouns(text) {
    const found = PRONOUNS.exec(text);
    if (!found) return null;
    return { value: found[1]!.toLowerCase().replaceAll(/\s/g, ''), rest: text.slice(found[0].length).trim() };
  },
  city(text) {
    const found = parseProperName(text.replace(/^the city of /iu, ''));
    return found && !COUNTRIES.has(found.value.toLowerCase()) ? found : null;
  },
  language(text) {
    const [word = ''] = /^\p{L}+/u.exec(text) ?? [];
    const value = LANGUAGES.get(word.toLowerCase());
    const rest = text.slice(word.length).trim();
    // Two languages are ambiguous.
    if (value === undefined || /^(?:,|and|or|&|\/)/u.test(rest)) return null;
    return { value, rest };
  },
};

/** Parses the field's value at the beginning of a text; null when there is none. */
export function parseField(field: SensitiveField, text: string): ParsedValue | null {
  const found = FIELD_PARSERS[field](text.trim());
  if (!found || found.value.length > MAX_VALUE_LENGTH || found.value.includes('[')) return null;
  return found;
}

const PARTICLES = new Set(
  'de da do dos das di del della la le van von der den ten bin ibn al el y am an of upon sur'.split(' '),
);
const NAME_WORD = /^(?:\p{Lu}[\p{L}\p{M}]*(?:['’.-][\p{L}\p{M}]+)*\.?|[\p{Lo}\p{M}]+)$/u;
const MAX_NAME_WORDS = 4;

/** Capitalised words that may follow "call me" or "live in" and are no names. */
const NO_NAMES = new Set(
  (
    'I He She They It We You Me Back Later Maybe Tomorrow Today Tonight Now Soon Again Anytime Monday Tuesday Wednesday ' +
    'Thursday Friday Saturday Sunday January February March April May June July August September October November ' +
    'December Please Yes No Not Never Sometimes A An The My Your His Her Their Our This That When If Apartment Flat Room'
  ).split(' '),
);

/** Parses the proper name at the beginning of a text, and the rest; null when there is none. */
function parseProperName(text: string): ParsedValue | null {
  const words = text.trim().split(/\s+/);
  const taken: string[] = [];
  let rest = '';
  for (const [index, word] of words.entries()) {
    const [, bare = '', punctuation = ''] = /^(.*?)([,:)–—-]*)$/u.exec(word) ?? [];
    const next = words[index + 1];
    const isPart =
      NAME_WORD.test(bare) ||
      (taken.length > 0 && PARTICLES.has(bare) && next !== undefined && NAME_WORD.test(strip(next)));
    if (!isPart || taken.length === MAX_NAME_WORDS) {
      rest = words.slice(index).join(' ');
      break;
    }
    taken.push(bare);
    if (punctuation !== '') {
      rest = [punctuation, ...words.slice(index + 1)].join(' ');
      break;
    }
  }
  if (taken.length === 0 || NO_NAMES.has(taken[0]!)) return null;
  return { value: taken.join(' '), rest: rest.trim() };
}

function strip(word: string): string {
  return word.replace(/[,:)–—-]+$/u, '');
}

/** Languages in their standard spelling, by their names in lower case. */
const LANGUAGES = new Map(
  (
    'Afrikaans Albanian Arabic Armenian Basque Bengali Bosnian Bulgarian Burmese Cantonese Catalan Chinese Croatian Czech ' +
    'Danish Dutch English Estonian Filipino Finnish Flemish French Galician Georgian German Greek Gujarati Hebrew Hindi ' +
    'Hungarian Icelandic Indonesian Irish Italian Japanese Kannada Kazakh Khmer Korean Latvian Lithuanian Macedonian ' +
    'Malay Malayalam Maltese Mandarin Marathi Mongolian Nepali Norwegian Persian Polish Portuguese Punjabi Romanian ' +
    'Russian Serbian Slovak Slovenian Somali Spanish Swahili Swedish Tagalog Tamil Telugu Thai Turkish Ukrainian Urdu ' +
    'Uzbek Vietnamese Welsh Yoruba Zulu'
  )
    .split(' ')
    .map((name) => [name.toLowerCase(), name]),
);

const COUNTRIES = new Set(
  (
    'america,argentina,australia,austria,belgium,brazil,britain,canada,chile,china,colombia,croatia,denmark,egypt,england,' +
    'estonia,europe,finland,france,germany,ghana,greece,hungary,iceland,india,indonesia,iran,iraq,ireland,israel,italy,' +
    'japan,kenya,korea,latvia,lithuania,malaysia,mexico,morocco,netherlands,new zealand,nigeria,northern ireland,norway,' +
    'pakistan,peru,philippines,poland,portugal,romania,russia,saudi arabia,scotland,serbia,slovakia,slovenia,south africa,' +
    'south korea,spain,sweden,switzerland,taiwan,thailand,turkey,uk,ukraine,united kingdom,united states,us,usa,vietnam,' +
    'wales,california,texas,florida,bavaria,asia,africa,scandinavia'
  ).split(','),
);
