import { ADVERBS, type Clause, isOneOfSeveral } from '../parse-clause.js';
import { type Slot, SOMETHING_NEW } from '../slot.js';

const WORKING = new RegExp(
  `^${ADVERBS}(?:works|is ${ADVERBS}(?:working|employed)|has been working|(?:started|began) (?:working|to work)|has (?:started|begun) working) (?<rest>.*)$`,
  'u',
);
const NEW_JOB = new RegExp(
  `^${ADVERBS}(?:has |is )?${ADVERBS}(?:started|starting|began|got|took|accepted|landed|found|has) (?:in )?(?:an?|their|his|her) new (?:job|position|role)(?<rest>(?: .*)?)$`,
  'u',
);
const LEFT = new RegExp(
  `^${ADVERBS}(?:has )?(?:quit|left|lost|resigned from|gave up|was fired from|was laid off from|retired from) (?:their|his|her|[Tt]he user['’]s|the) (?:job|position|role|work)(?<rest>(?: .*)?)$`,
  'u',
);
const EMPLOYER =
  "(?<at>\\p{Lu}[\\p{L}\\d&.'’-]*(?: \\p{Lu}[\\p{L}\\d&.'’-]*){0,2})(?: (?:in|on|last|this|after|for|because|since)\\b.*)?";
const LEFT_EMPLOYER = new RegExp(
  `^${ADVERBS}(?:has )?(?:left|quit|resigned from|got fired from|was fired from) ${EMPLOYER}$`,
  'u',
);
const JOINED = new RegExp(`^${ADVERBS}(?:has )?joined ${EMPLOYER}$`, 'u');
/** Services that people join without working there. */
const NO_EMPLOYERS = new Set(
  'facebook instagram tinder bumble strava discord telegram whatsapp reddit linkedin duolingo netflix spotify slack zoom twitter tiktok mastodon bluesky youtube twitch patreon airbnb weightwatchers'.split(
    ' ',
  ),
);
const NO_LONGER = new RegExp(
  `^${ADVERBS}(?:no longer works|used to work|does not work|stopped working|quit working) (?<rest>.*)$`,
  'u',
);
const WITHOUT_WORK = new RegExp(`^is ${ADVERBS}(?:unemployed|retired|out of work|jobless)(?: now)?$`, 'u');

/** Occupations that people usually have alone; a writer or a runner may have others besides. */
const OCCUPATION = new RegExp(
  `^(?:is ${ADVERBS}|became |has become |has been )an? (?<as>(?:\\p{Ll}[\\p{L}-]* ){0,2}?(?:accountant|architect|baker|barista|bartender|carpenter|cashier|chef|civil servant|cook|data analyst|data scientist|dentist|developer|doctor|driver|economist|electrician|engineer|firefighter|hairdresser|journalist|judge|lawyer|lecturer|librarian|manager|mechanic|midwife|nurse|optician|paramedic|pharmacist|physician|pilot|plumber|police officer|postman|professor|programmer|psychologist|receptionist|secretary|soldier|surgeon|teacher|technician|therapist|veterinarian|vet|waiter|waitress))(?: now)?(?<rest>(?: (?:at|for) .*)?)$`,
  'u',
);

const AS =
  /^(?:.*? )??as (?:an? |the )?(?<as>\p{L}[\p{L} '’&/-]*?)(?= (?:at|for|in|with|from|since|on|now|again|these days|full[- ]time)\b|,|$)/u;
const AT =
  /^(?:.*? )??(?:at|for|with) (?:the |an? )?(?<at>[\p{L}\d][\p{L}\d '’&.-]*?)(?= (?:as|in|since|from|on|now|again|these days|full[- ]time)\b|,|$)/u;
/** What follows "at" and "for" and is no employer. */
const NO_EMPLOYER =
  /^(?:home|work|night|nights|least|most|all|free|fun|money|a living|themselves|himself|herself|him|her|them|it|that|this|people|children|kids|others|animals|\d.*|(?:years?|months?|weeks?|hours?|days?|.* (?:years?|months?|weeks?|hours?|days?)))$/u;

export function extractWork(clause: Clause): Slot | null {
  const { predicate, subject } = clause;
  if (clause.possession !== null || clause.isShared || isOneOfSeveral(clause) || / (?:and|or) /u.test(predicate)) {
    return null;
  }
  const slot = (parts: Slot['parts'], more: Partial<Slot> = {}): Slot => ({
    key: `work|${subject}`,
    parts,
    holds: true,
    tense: 'state',
    ...more,
  });
  if (WITHOUT_WORK.test(predicate)) return slot({}, { holds: false });
  const left = LEFT.exec(predicate)?.groups;
  if (left) return slot(extractWorkParts(left['rest']!), { holds: false, tense: 'event' });
  const [leaves, joins] = [LEFT_EMPLOYER, JOINED].map((pattern) => findEmployer(pattern, predicate));
  if (leaves !== undefined) return slot({ at: leaves }, { holds: false, tense: 'event' });
  if (joins !== undefined) return slot({ at: joins }, { tense: 'event' });
  const newJob = NEW_JOB.exec(predicate)?.groups;
  if (newJob) {
    return slot({ as: SOMETHING_NEW, at: SOMETHING_NEW, ...extractWorkParts(newJob['rest']!) }, { tense: 'event' });
  }
  const occupation = OCCUPATION.exec(predicate)?.groups;
  if (occupation) return slot({ ...extractWorkParts(occupation['rest']!), as: occupation['as']!.toLowerCase() });
  const noLonger = NO_LONGER.exec(predicate)?.groups;
  const working = noLonger ?? WORKING.exec(predicate)?.groups;
  const parts = working ? extractWorkParts(working['rest']!) : {};
  if (Object.keys(parts).length === 0) return null;
  return slot(parts, { holds: !noLonger, tense: /^(?:started|began)/u.test(predicate) ? 'event' : 'state' });
}

function findEmployer(pattern: RegExp, predicate: string): string | undefined {
  const employer = pattern.exec(predicate)?.groups?.['at']?.toLowerCase();
  return employer === undefined || NO_EMPLOYERS.has(employer) ? undefined : employer;
}

function extractWorkParts(rest: string): { as?: string; at?: string } {
  const words = rest.trim();
  const as = AS.exec(words)?.groups?.['as']?.toLowerCase();
  const at = AT.exec(words)?.groups?.['at']?.toLowerCase();
  return {
    ...(as === undefined ? {} : { as }),
    ...(at === undefined || NO_EMPLOYER.test(at) ? {} : { at }),
  };
}
