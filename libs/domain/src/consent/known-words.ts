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

/** The name of a language in its standard spelling, whatever its case; null if it is not a known language. */
export function findLanguage(word: string): string | null {
  return LANGUAGES.get(word.toLowerCase()) ?? null;
}

export function isCountry(name: string): boolean {
  return COUNTRIES.has(name.toLowerCase());
}
