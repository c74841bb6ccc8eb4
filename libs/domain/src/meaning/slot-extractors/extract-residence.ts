import type { Clause } from '../parse-clause.js';
import type { Slot } from '../slot.js';
import { PLACE, classifyPlaceName } from './place-names.js';
import { ADVERBS, isOneOfSeveral } from './slot-extractor.js';

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

/**
 * Where a person lives: Berlin, then Munich (docs/reference/truth-and-time.md#superseding-a-memory). A person who moved
 * somewhere lives there.
 */
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
