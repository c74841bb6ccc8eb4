import { RELATION_WORDS } from '../clauses/introduce-people.js';
import { type ClauseRule, OWN, predicate, SELF } from './clause-rule.js';

const PETS =
  'dogs?|cats?|pets?|pupp(?:y|ies)|pups?|kittens?|birds?|parrots?|horses?|turtles?|rabbits?|hamsters?|guinea pigs?|fish|goldfish|lizards?|snakes?';
const FAMILY =
  'family|parents|kids|children|twins|sons|daughters|brothers|sisters|siblings|grandparents|grandkids|grandchildren|cousins|in-laws|friends|colleagues|roommates|grandson|granddaughter|stepson|stepdaughter|ex';
const CLOSE = `(?:${RELATION_WORDS}|${FAMILY}|${PETS})`;
const COUNT = '(?:an?|one|two|three|four|five|six|seven|\\d+|some|no)';

/** Praise and moods: true of nearly everybody's family, so not worth a memory. */
const EVALUATION =
  /^(?:is|are|was|were|has been|have been|am)(?: (?:so|such|very|really|pretty|quite|always|all|just|also|the|a|an|my|not|super|totally|definitely|both|too|doing|all doing))* (?:great|amazing|awesome|cute|adorable|sweet|lovely|best|better|good|fine|well|wonderful|beautiful|everything|rock|world|important|supportive|happy|proud|excited|there|nice|fun|funny|hilarious|incredible|fantastic|perfect|cool|kind|inspiring|blessing|joy|treasure|motivation|inspiration|support|precious|patient|thrilled|okay|ok|rocks|bad|tough|hard|worth|key|strong|huge|big (?:help|deal)|source|part of|reason|playful|goofy|fluffy|silly|stoked|impressed|surprised|shocked|right|wrong|angels?|bundle|company|comfort|reminder)\b/;

export const PEOPLE_RULES: readonly ClauseRule[] = [
  {
    name: 'has-people',
    category: 'relationships',
    importance: 4,
    confidence: 0.9,
    predicate: predicate(
      `(?:have|adopted|am raising|own|have got) ${COUNT} (?:[\\w'-]+ ){0,3}?(?:${RELATION_WORDS}|sons?|daughters?|brothers?|sisters?|siblings?|kids?|children|twins|cousins?|friends?|roommates?|grandkids?|grandchildren|${PETS})\\b`,
    ),
    needs: 'noun',
  },
  {
    name: 'partner',
    category: 'relationships',
    importance: 4,
    confidence: 0.9,
    predicate: predicate(
      '(?:am (?:married|engaged) to|am dating|am seeing [a-z]+ named|have been (?:married|together|dating|engaged|friends)|am (?:best )?friends with|have known|live with my|got (?:married|engaged|divorced)|married|got back together)',
    ),
    unless: /known (?:that|what|how|it|this)/,
  },
  {
    name: 'is-mine',
    category: 'relationships',
    importance: 4,
    confidence: 0.9,
    subjects: OWN,
    phrase: /^\p{L}[\p{L}'-]+(?: \p{L}[\p{L}'-]+)?$/u,
    predicate: new RegExp(`^(?:is|are|was) my (?:[\\w'-]+ ){0,3}?${CLOSE}\\b`),
  },
  {
    name: 'own-people-now',
    category: 'relationships',
    importance: 3,
    confidence: 0.85,
    subjects: OWN,
    phrase: new RegExp(`^my (?:[\\w'-]+ ){0,2}?${CLOSE}(?:,? [\\p{L}'-]+(?: and [\\p{L}'-]+)?)?$`, 'u'),
    predicate: /^(?!(?:do|does|did|will|can)\b)/,
    unless: EVALUATION,
    tense: 'present',
    needs: 'noun',
  },
  {
    name: 'own-people-then',
    category: 'event',
    type: 'episodic',
    importance: 3,
    confidence: 0.75,
    subjects: OWN,
    phrase: new RegExp(`^my (?:[\\w'-]+ ){0,2}?${CLOSE}(?:,? [\\p{L}'-]+(?: and [\\p{L}'-]+)?)?$`, 'u'),
    predicate: /^(?!(?:did|was so|were so|said|told|thought|helped me|made me|got me|taught me to)\b)/,
    unless: EVALUATION,
    tense: 'past',
    needs: 'noun',
  },
  {
    name: 'own-people-died',
    category: 'event',
    type: 'episodic',
    importance: 4,
    confidence: 0.85,
    subjects: OWN,
    phrase: new RegExp(`^my (?:[\\w'-]+ ){0,2}?${CLOSE}(?:,? [\\p{L}'-]+)?$`, 'u'),
    predicate:
      /^(?:just |recently )?(?:passed away|died|got married|got engaged|had a baby|graduated|retired|(?:is|was) (?:sick|ill|pregnant|in the hospital|in hospital|expecting))\b/,
  },
  {
    name: 'lost-somebody',
    category: 'event',
    type: 'episodic',
    importance: 4,
    confidence: 0.85,
    subjects: SELF,
    predicate: predicate(`(?:lost|have lost) (?:my|a) (?:[\\w'-]+ ){0,2}?${CLOSE}\\b`),
  },
];
