/** First- and second-person words; capital letters inside a sentence belong to names ("Mine Street", "the US"). */
const WORDS =
  "me|my|mine|myself|we|we['’](?:re|ve|d|ll)|us|our|ours|ourselves|you|your|yours|yourself|you['’](?:re|ve|d|ll)|" +
  // Of other languages, words that do not exist in English.
  'ich|mich|mein(?:e[mnrs]?)?|wir|uns|je|yo|nosotr[ao]s';
const START = String.raw`(?<=^|[.!?…]["'”’)]?\s+)`;
const ALONE = String.raw`(?<![\p{L}\p{N}'’.@/-])`;
const END = String.raw`(?![\p{L}\p{N}@/-])(?!\.\p{L})`;
const SPEAKING = new RegExp(
  `${ALONE}(?:I|I['’](?:m|ve|d|ll)|${WORDS})${END}|${START}(?:${WORDS.replace(/(?<=^|\|)\p{L}/gu, (letter) => letter.toUpperCase())})${END}`,
  'u',
);
const QUOTED = /[“"«„][^”"»“]*[”"»“]/gu;

/** The memory without its quotes, which are other people's words. */
export function removeQuotes(content: string): string {
  return content.replace(QUOTED, '“”');
}

/** Whether the text uses the first or second person. */
export function hasFirstOrSecondPerson(content: string): boolean {
  return SPEAKING.test(content);
}

const PRONOUN = /(?<![\p{L}\p{N}'’-])(?:he|she|him|her|hers|his|they|them|their|theirs)(?![\p{L}\p{N}-])/giu;
/** Persons, besides the user, that a pronoun may refer to. */
const SOMEBODY =
  /(?<![\p{L}\p{N}])(?:mother|father|mom|mum|dad|parents?|sisters?|brothers?|siblings?|sons?|daughters?|kids?|child(?:ren)?|bab(?:y|ies)|twins?|wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|uncle|aunt|cousins?|nephews?|nieces?|grand\p{L}+|friends?|buddy|boss|manager|colleagues?|coworkers?|co-workers?|team|teachers?|students?|pupils?|class|doctors?|therapist|coach|neighbou?rs?|roommates?|flatmates?|people|others|everyone|everybody|someone|somebody|clients?|customers?|patients?|guests?|family|couple|group|company|band|man|men|wom[ae]n|boys?|girls?|person|dogs?|cats?|pets?|horses?|puppy|kittens?|players?|members?|both|two|three|four|five|six|several|many|some|these|those)(?![\p{L}\p{N}])/iu;
const NAME = /(?<=\p{L}[\p{L}’'-]*,? )(?!I\b)\p{Lu}\p{Ll}+/u;

/**
 * Whether a pronoun can only mean the user (docs/reference/writing-constraints.md#no-pronoun-for-the-user): no other
 * person was named before it. Reflexive pronouns are ignored: their own sentence determines whom they mean.
 */
export function hasPronounForUser(content: string): boolean {
  for (const { index } of content.matchAll(PRONOUN)) {
    const before = content.slice(0, index);
    if (!SOMEBODY.test(before) && !NAME.test(dropOpening(before))) return true;
  }
  return false;
}

/** The text without the user's own name, with which a memory begins. */
function dropOpening(text: string): string {
  return text.replace(/^(?:The user|\p{Lu}[\p{L}’'-]*(?: \p{Lu}[\p{L}’'-]*)*?)(?:['’]s)? /u, 'x ');
}
