const PRONOUN = /(?<![\p{L}\p{N}'’-])(?:he|she|him|her|hers|his|they|them|their|theirs)(?![\p{L}\p{N}-])/giu;
/** Persons, besides the user, that a pronoun may refer to; animals and organisations too. */
const SOMEBODY =
  /(?<![\p{L}\p{N}])(?:mother|father|mom|mum|dad|parents?|sisters?|brothers?|siblings?|sons?|daughters?|kids?|child(?:ren)?|bab(?:y|ies)|twins?|wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|uncle|aunt|cousins?|nephews?|nieces?|grand\p{L}+|friends?|buddy|boss|manager|colleagues?|coworkers?|co-workers?|team|teachers?|students?|pupils?|class|doctors?|therapist|coach|neighbou?rs?|roommates?|flatmates?|people|others|everyone|everybody|someone|somebody|clients?|customers?|patients?|guests?|family|couple|group|company|band|man|men|wom[ae]n|boys?|girls?|person|nurse|nanny|chef|pilot|judge|agent|guide|intern|president|king|queen|prince(?:ss)?|landlord|landlady|dogs?|cats?|pets?|horses?|puppy|kittens?|parrots?|rabbits?|hamsters?|ponies|pony|birds?|tortoises?|turtles?|players?|members?|crew|staff|crowd|audience|bank|employer|firm|start-?up|school|university|shop|store|agency|church|club|gym|hospital|airline|hotel|restaurant|bakery|clinic|board|council|committee|government|union|police|army|support|both|two|three|four|five|six|several|many|some|these|those)(?![\p{L}\p{N}])/iu;
/** Nouns with an ending of persons that are none, or are the two who talk. */
const NO_PERSON =
  'user|assistant|computer|printer|water|paper|number|letter|dinner|summer|winter|power|order|offer|river|corner|sweater|scooter|motor|door|floor|colou?r|mirror|folder|server|router|charger|newsletter|elevator|refrigerator|calculator';
const FUNCTION_WORD = 'to|of|and|or|for|in|on|at|with|from|by|as|that';
/** A noun for a person by its ending: "the mayor", "a travel blogger", "Ana's florist". */
const PERSON = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}])(?:an?|the|another)|['’]s) (?:(?!(?:${FUNCTION_WORD}) )\p{L}+ ){0,2}?(?!(?:${NO_PERSON})(?!\p{L}))` +
    String.raw`(?:\p{L}{2,}(?:er|or|ist|ian|man|woman|eur|ress)|accountant|consultant|tenant|attendant|applicant|participant|client)(?!\p{L})`,
  'iu',
);
const NAME = /(?<=\p{L}[\p{L}’'-]*,? )(?!I\b)\p{Lu}\p{Ll}+/u;
/** "They Might Be Giants". */
const IN_TITLE = /^\p{Lu}\p{L}+ \p{Lu}$/u;
const PLURAL_PRONOUN = /^the/iu;
/** The verb of the user: "likes" in "x always likes", with an ending that a plural has too. */
const FIRST_VERB = /^x (?:(?:always|often|never|also|still|now|usually|sometimes|\p{L}+ly) )*\p{L}+/u;
/** "Records", "a lamp and a desk". */
const PLURAL = /(?<![\p{L}'’])\p{Ll}{2,}[^\P{Ll}sui]s(?!\p{L})|\p{L} and (?:an?|the|\p{L}+['’]s) /u;

/** No other person was named before it (docs/reference/writing-constraints.md#no-pronoun-for-the-user). */
export function hasPronounForUser(content: string): boolean {
  for (const { 0: pronoun, index } of content.matchAll(PRONOUN)) {
    if (IN_TITLE.test(content.slice(index, index + pronoun.length + 2))) continue;
    if (!namesAnother(content.slice(0, index), PLURAL_PRONOUN.test(pronoun))) return true;
  }
  return false;
}

/** `isPlural`: the pronoun can mean several persons or things. */
function namesAnother(before: string, isPlural: boolean): boolean {
  if (SOMEBODY.test(before) || PERSON.test(before)) return true;
  const afterOpening = dropOpening(before);
  if (NAME.test(afterOpening)) return true;
  return isPlural && PLURAL.test(afterOpening.replace(FIRST_VERB, ''));
}

/** The text without the user's own name, with which a memory begins. */
function dropOpening(text: string): string {
  return text.replace(/^(?:The user|\p{Lu}[\p{L}’'-]*(?: \p{Lu}[\p{L}’'-]*)*?)(?:['’]s)? /u, 'x ');
}
