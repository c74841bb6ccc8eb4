import { ADVERBS, type Clause, isOneOfSeveral } from '../parse-clause.js';
import type { Slot } from '../slot.js';

/** Countries and other large areas: "lives in Germany" and "lives in Berlin" may both be true. */
const WIDE_PLACES = new Set(
  (
    'afghanistan albania algeria america andorra angola argentina armenia asia africa australia austria azerbaijan ' +
    'bahrain bangladesh bavaria belarus belgium bolivia bosnia botswana brazil britain bulgaria california cambodia ' +
    'cameroon canada catalonia chile china colombia croatia cuba cyprus czechia denmark ecuador egypt england estonia ' +
    'ethiopia europe finland florida france georgia germany ghana greece guatemala haiti honduras hungary iceland india ' +
    'indonesia iran iraq ireland israel italy jamaica japan jordan kazakhstan kenya kosovo kuwait laos latvia lebanon ' +
    'libya liechtenstein lithuania luxembourg madagascar malaysia malta mexico moldova monaco mongolia montenegro ' +
    'morocco mozambique myanmar namibia nepal netherlands nicaragua nigeria norway oman pakistan panama paraguay peru ' +
    'philippines poland portugal provence qatar quebec romania russia rwanda scandinavia scotland senegal serbia ' +
    'singapore slovakia slovenia somalia spain sudan sweden switzerland syria taiwan tanzania texas thailand tunisia ' +
    'turkey tuscany uganda uk ukraine uruguay us usa uae venezuela vietnam wales yemen zambia zimbabwe'
  ).split(' '),
);
const WIDE_NAMES =
  /^(?:the )?(?:new zealand|south|north|east|west|central|united|saudi|sri|costa|el salvador|czech|dominican|ivory)\b/;

/** Capitalised names that one can move to without changing residence. */
const NO_PLACES = new Set(
  (
    'january february march april may june july august september october november december monday tuesday wednesday ' +
    'thursday friday saturday sunday spring summer autumn fall winter christmas easter sales marketing engineering ' +
    'finance accounting operations product management design legal support research development linux windows mac ' +
    'ubuntu android python java rust kotlin swift ruby slack notion jira trello zoom teams gmail outlook chrome firefox ' +
    'safari vim emacs docker kubernetes azure spotify netflix discord signal telegram figma excel postgres english ' +
    'german french spanish italian god hope peace'
  ).split(' '),
);

/** A name as the pattern below finds it: capitalised words, among them particles; a few short forms. */
const PLACE =
  "(?:(?:NYC|LA|SF|DC|UK|USA|US|UAE)\\b|(?:St\\. )?\\p{Lu}\\p{Ll}[\\p{Ll}’'-]*(?:[ -](?:(?:am|an|der|de|do|da|del|la|upon|on|of|the|sur|im) )?\\p{Lu}\\p{Ll}[\\p{Ll}’'-]*)*)(?![\\p{L}\\d])";

/** A city, or a country, which does not determine the city; null for names of no place. */
function classifyPlaceName(name: string): { readonly city: string } | { readonly country: string } | null {
  const place = name.toLowerCase();
  if (NO_PLACES.has(place.split(' ')[0]!)) return null;
  return WIDE_PLACES.has(place) || WIDE_NAMES.test(place) ? { country: place } : { city: place };
}

const LIVING = new RegExp(
  `^${ADVERBS}(?:lives?|is ${ADVERBS}(?:living|based)|are ${ADVERBS}(?:living|based)|has (?:been living|lived)|resides?|settled(?: down)?) (?<rest>.*)$`,
  'u',
);
const MOVING = new RegExp(
  `^${ADVERBS}(?:has |have )?${ADVERBS}(?:moved|relocated)(?: back)?(?: (?:here|over))?(?: (?:from|out of) ${PLACE})?(?: back)? to (?<place>${PLACE})(?<rest>.*)$`,
  'u',
);
const GONE = new RegExp(
  `^(?:${ADVERBS}(?:no longer lives?|used to live|does not live|do not live|stopped living) in|${ADVERBS}moved (?:away from|out of)) (?<place>${PLACE})(?<rest>.*)$`,
  'u',
);
const IN_PLACE = new RegExp(`^(?:[\\p{Ll}' -]*? )??in (?<place>${PLACE})(?<rest>.*)$`, 'u');

/** What may follow the place name without making it one of several residences. */
const HARMLESS_REST = new RegExp(
  `^(?:, ${PLACE})?(?: (?:now|again|anymore|any more|right now|these days|at the moment))?(?:,? (?:with|since|for|because|after|on|in|at|from|as|to be|last|this|two|three|a|\\d|yesterday|today|ago|together|near|by|area)\\b.*)?$`,
  'u',
);

/** Where a person lives or moved to (docs/reference/truth-and-time.md#superseding-a-memory). */
export function extractResidence(clause: Clause): Slot | null {
  if (clause.possession !== null || isOneOfSeveral(clause)) return null;
  const living = LIVING.exec(clause.predicate)?.groups;
  const gone = living ? undefined : GONE.exec(clause.predicate)?.groups;
  const moving = gone ? undefined : MOVING.exec(clause.predicate)?.groups;
  const found = living ? IN_PLACE.exec(living['rest']!)?.groups : (gone ?? moving);
  if (!found || / (?:and|or) /u.test(found['rest']!) || !HARMLESS_REST.test(found['rest']!)) return null;
  const parts = classifyPlaceName(found['place']!);
  if (!parts) return null;
  return { key: `home|${clause.subject}`, parts, holds: !gone, tense: moving ? 'event' : 'state' };
}
