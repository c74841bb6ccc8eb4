import { RELATION_WORDS } from '../clauses/introduce-people.js';
import { type ClauseRule, OWN } from './clause-rule.js';

/** Praise, moods and what goes on for a moment: no value that anybody looks up. */
const EVALUATION =
  /^(?:is|are|was|were|has been)(?: (?:so|such|very|really|pretty|quite|always|all|just|also|the|a|an|not|super|totally|a bit|too))* (?:great|amazing|awesome|cute|sweet|lovely|best|better|good|fine|well|wonderful|beautiful|everything|important|happy|proud|excited|nice|fun|funny|hilarious|incredible|fantastic|perfect|cool|kind|tough|hard|bad|boring|slow|busy|crazy|hectic|packed|full|loud|long|short|easy|difficult|expensive|cheap|close|near|far|coming|going|getting|doing|about|up to|worth|ready|late|early|interesting)\b/;

/** Statements about named people and things, so that their values can be asked for and can change. */
export const NAMED_RULES: readonly ClauseRule[] = [
  {
    name: 'named-person',
    category: 'relationships',
    importance: 3,
    confidence: 0.75,
    subjects: OWN,
    phrase: /^(?!my |the )\p{L}[\p{L}-]+(?: \p{L}[\p{L}-]+)?$/u,
    predicate: /^\p{L}/u,
    unless: EVALUATION,
  },
  {
    name: 'named-attribute',
    category: 'relationships',
    importance: 3,
    confidence: 0.75,
    subjects: OWN,
    phrase: /^(?!my |the )\p{L}[\p{L} -]*'s [\p{L} -]+$/u,
    predicate: /^(?:(?:is|are|was|got moved|has|have) |died)/,
    unless: EVALUATION,
  },
  {
    name: 'named-thing',
    category: 'projects',
    importance: 3,
    confidence: 0.75,
    subjects: OWN,
    phrase: /^the /,
    predicate:
      /^(?:is|are|was|runs|starts|begins|ends|comes|covers|costs|opens|closes|takes place|meets|happens|lasts|got moved|has moved|has been) /,
    unless: EVALUATION,
  },
  {
    name: 'own-attribute',
    category: 'profile',
    importance: 3,
    confidence: 0.8,
    subjects: OWN,
    phrase:
      /^my (?:[\w'-]+ ){0,3}?(?:name|rent|deposit|salary|bonus|record|level|dentist|doctor|vet|therapist|bank|hotel|contact|title|desk|locker|type|rate|pressure|contract|budget|order|table|topic|advisor|supervisor|mentor|assistant|landlord|address|house|flat|apartment|room|car|bike|phone|laptop|insurance|grade|average|language|zone|exam|flight|appointment|deadline|gym|coach|boss|manager|lead|team|job|schedule|shift|server|major|minor|goal|weight|height|size)(?: for (?:the|my) [\w-]+)?$/,
    predicate: /^(?:is|are|has|have|got moved|was moved|starts|ends) (?!(?:the best|going|getting|always|just)\b)/,
    unless: EVALUATION,
  },
  {
    name: 'own-value',
    category: 'profile',
    importance: 2,
    confidence: 0.7,
    subjects: OWN,
    phrase: new RegExp(
      `^my (?!(?:[\\w'-]+ ){0,2}(?:${RELATION_WORDS}|friends|family|parents|kids|children|brothers|sisters|password|passcode|pin|day|week|weekend|morning|evening|life|heart|mood|mind)\\b)[\\w' &-]+$`,
    ),
    predicate: /^(?:is|are|has|starts|ends|costs|expires|runs|lasts|got moved|was moved|has been moved) /,
    unless: EVALUATION,
    needs: 'value',
  },
  {
    name: 'own-people-age',
    category: 'relationships',
    importance: 3,
    confidence: 0.85,
    subjects: OWN,
    phrase: new RegExp(`^my (?:[\\w'-]+ ){0,2}?(?:${RELATION_WORDS}|dog|cat)(?:,? [\\p{L}'-]+)?$`, 'u'),
    predicate: /^(?:is|turned) \d{1,3}(?: years old)?$/,
  },
  {
    name: 'own-people-ended',
    category: 'relationships',
    importance: 3,
    confidence: 0.8,
    subjects: OWN,
    phrase: new RegExp(`^my (?:[\\w'-]+ ){0,2}?(?:${RELATION_WORDS}|dog|cat)(?:,? [\\p{L}'-]+)?$`, 'u'),
    predicate:
      /^(?:(?:do|does) not \w+ .*any ?more$|no longer \w+|is (?:no longer|not) .*|stopped \w+ing|quit |gave up |(?:got|is|was) (?:married|engaged|divorced|single)|moved out|left )/,
    unless: EVALUATION,
  },
  {
    name: 'own-gone',
    category: 'event',
    importance: 3,
    confidence: 0.75,
    subjects: OWN,
    phrase: /^my /,
    predicate:
      /^(?:is|are|was|were|got|has been) (?:gone|over|cancell?ed|called off|fixed|repaired|broken|down|back up)$/,
  },
];
