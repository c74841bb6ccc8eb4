/** First- and second-person words; capital letters inside a sentence belong to names ("Mine Street", "the US"). */
const WORDS =
  "me|my|myself|we|we['’](?:re|ve|d|ll)|us|our|ours|ourselves|you|your|yours|yourself|you['’](?:re|ve|d|ll)|" +
  // Of other languages, words that do not exist in English.
  'ich|mich|mein(?:e[mnrs]?)?|wir|uns|je|yo|nosotr[ao]s';
const START = String.raw`(?<=^|[.!?…]["'”’)]?\s+)`;
const ALONE = String.raw`(?<![\p{L}\p{N}'’.@/-])`;
const END = String.raw`(?![\p{L}\p{N}@/-])(?!\.\p{L})`;
/** Of a title: "My Chemical Romance", "Our Lady of Lourdes". */
const IN_TITLE = String.raw` \p{Lu}[\p{L}'’]+ (?:\p{Lu}|of\b|in\b|the\b)`;
const CAPITALISED = WORDS.replace(/(?<=^|\|)\p{L}/gu, (letter) => letter.toUpperCase());
const SPEAKING = new RegExp(
  `${ALONE}(?:I|I['’](?:m|ve|d|ll)|(?<!\\d )(?:${WORDS})|(?<=\\b(?:of|is|was|are|were|be|than|not) )mine)${END}` +
    `|${START}(?:${CAPITALISED})${END}(?!${IN_TITLE})`,
  'u',
);

const NUMBERED =
  'war|type|phase|part|chapter|section|class|stage|level|grade|tier|book|volume|act|title|schedule|article|annex|appendix|category|group|unit';
/** "I" as a number or an initial: "type I diabetes", "Elizabeth I.", "I. M. Pei"; phrases that address nobody. */
const UNSPOKEN = new RegExp(
  String.raw`\b(?:${NUMBERED}|${NUMBERED.replace(/(?<=^|\|)\p{L}/gu, (letter) => letter.toUpperCase())}) I(?![\p{L}\p{N}'’])` +
    String.raw`|(?<=\p{Lu}\p{L}* )I(?=[.,;:!?)]|$| of )|\bI\.(?= ?\p{Lu}\.)` +
    String.raw`|\b(?:[Tt]hank you|me[ -]time|pay as you go|it yourself|bring your own|all you can eat|know your customer)\b`,
  'gu',
);

/** Whether a memory speaks of "I", "we" or "you" instead of naming people. */
export function hasFirstOrSecondPerson(content: string): boolean {
  return SPEAKING.test(content.replace(UNSPOKEN, '…'));
}
