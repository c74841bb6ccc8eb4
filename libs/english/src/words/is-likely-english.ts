const WORD = /\p{L}+/gu;

const ENGLISH = setOf(
  'the and is are am to of it that this was were for with my your not have has had we they he she you i at be but so',
);
// Function words of German, French, Spanish, Italian, Portuguese and Dutch, without those that exist in English too.
const OTHER = setOf(
  'der das und ist nicht ich ein eine mit wir sie zu den dem auf auch sehr bin ' +
    'le les et est une dans je pas que qui nous vous avec pour sur ce cette mais très suis ' +
    'el los las y es una con por en muy pero mi yo como más estoy ' +
    'il che è di non sono gli della molto ma ho ' +
    'um uma não com muito os eu meu está ' +
    'het een van ik niet zijn maar heel mijn',
);

/**
 * Whether a text is likely English: false if it has more function words of other languages than of English. Short texts
 * without function words and texts in other scripts count as English: they contain no words that an English lexicon
 * could misinterpret.
 */
export function isLikelyEnglish(text: string): boolean {
  let balance = 0;
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (ENGLISH.has(word)) balance += 1;
    else if (OTHER.has(word)) balance -= 1;
  }
  return balance >= 0;
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
