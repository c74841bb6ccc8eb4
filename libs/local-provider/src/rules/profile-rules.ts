import { type ClauseRule, OWN, SELF, predicate } from './clause-rule.js';

const CONDITIONS =
  'diabetes|asthma|adhd|add|autism|anxiety|depression|migraines?|insomnia|arthritis|dyslexia|epilepsy|celiac(?: disease)?|high blood pressure|ibs|ptsd|cancer|scoliosis|tinnitus';
const STATES =
  'single|married|divorced|widowed|pregnant|retired|unemployed|self-employed|vegan|vegetarian|pescatarian|left-handed|right-handed|colou?r-?blind|deaf|blind|diabetic|asthmatic|autistic|dyslexic|bisexual|gay|lesbian|queer|trans(?:gender)?|non-?binary|jewish|muslim|christian|catholic|hindu|buddhist|atheist|agnostic|bilingual|trilingual|introverted|extroverted|\\p{L}{3,}(?:ese|ish|ian|ican)';

/** Who somebody is: name, age, home, work, origin, state of life, health. */
export const PROFILE_RULES: readonly ClauseRule[] = [
  {
    name: 'own-name',
    category: 'profile',
    importance: 5,
    confidence: 0.95,
    subjects: OWN,
    phrase: /^my (?:full |first |last |real |preferred |middle )?(?:name|surname|nickname|pronouns)$/,
    predicate: /^(?:is|are) (?!not\b)[\p{L}'’./-]+(?: [\p{L}'’-]+){0,3}$/u,
  },
  {
    name: 'called',
    category: 'profile',
    importance: 5,
    confidence: 0.9,
    subjects: SELF,
    predicate: /^(?:am called|go by) [\p{L}'-]+$/u,
  },
  {
    name: 'age',
    category: 'profile',
    importance: 4,
    confidence: 0.9,
    subjects: SELF,
    predicate: predicate(
      String.raw`(?:am|turned|am turning|will be|will turn) (?:\d{1,2}|twenty|thirty|forty|fifty|sixty|seventy)(?:[- ]\w+)?(?: years old)?(?: (?:on|in|today|yesterday|last|this|next|tomorrow)\b.*)?$`,
    ),
    unless: /minutes|hours|miles|weeks|months|days|percent|km|pounds|kilos/,
  },
  {
    name: 'home',
    category: 'profile',
    importance: 4,
    confidence: 0.9,
    predicate: predicate(
      '(?:live|am living|have been living|have lived|am based|reside|am staying (?:at|in|with)|am from|come from|grew up|was born|was raised|am originally from|hail from) ',
    ),
    unless: /\b(?:live (?:for|by the|life|up)|in the moment|in peace|in fear|in harmony|the dream|live and)\b/,
    needs: 'noun',
  },
  {
    name: 'work',
    category: 'profile',
    importance: 4,
    confidence: 0.9,
    subjects: SELF,
    predicate: predicate(
      '(?:work|am working|have been working|have worked|freelance|am employed|am interning|volunteer|am volunteering) (?:as|at|for|in|from home|remotely|part-time|full-time|with|nights?|night shifts?) ?',
    ),
    unless: /\b(?:in progress|out|for me|with (?:what|which|a team)|at (?:it|that))\b/,
    needs: 'noun',
  },
  {
    name: 'business',
    category: 'profile',
    importance: 4,
    confidence: 0.85,
    predicate: predicate(
      "(?:run|own|manage|lead|head) (?:my|our|a|an|the|two|three) (?:[\\w'-]+ ){0,3}(?:business|company|shop|store|restaurant|team|studio|bakery|cafe|farm|agency|charity|gym|salon|house|apartment|flat|department|car)",
    ),
    needs: 'noun',
  },
  {
    name: 'study',
    category: 'profile',
    importance: 4,
    confidence: 0.85,
    subjects: SELF,
    predicate: predicate(
      "(?:study|am studying|major in|majored in|am majoring|am pursuing|have an? (?:[\\w'-]+ )?(?:degree|phd|doctorate|masters?|bachelor'?s?|diploma|licen[cs]e|certificate)|hold an?)",
    ),
    unless: /study (?:hard|a lot|for (?:it|that))|hold a (?:lot|grudge|special)/,
    needs: 'noun',
  },
  {
    name: 'language',
    category: 'profile',
    importance: 3,
    confidence: 0.9,
    predicate: predicate(
      '(?:(?:can |do not |can not )?speak|am fluent in|am learning to speak) (?:some |a little |fluent |basic |both )?(?:english|spanish|french|german|italian|portuguese|dutch|swedish|norwegian|danish|finnish|polish|russian|ukrainian|czech|greek|turkish|arabic|hebrew|hindi|urdu|bengali|chinese|mandarin|cantonese|japanese|korean|vietnamese|thai|swahili|tagalog|romanian|hungarian|sign language)',
    ),
  },
  {
    name: 'state',
    category: 'profile',
    importance: 4,
    confidence: 0.85,
    subjects: SELF,
    predicate: new RegExp(
      `^am (?:not |also |now |currently |recently |newly |half )?(?:${STATES})(?: and (?:${STATES}))?(?: (?:for|since|now|with|by|and)\\b.*)?$`,
      'u',
    ),
    unless: /^am (?:not )?(?:selfish|foolish|stylish|childish|sluggish|feverish|sheepish|\w+ish and)$/,
  },
  {
    name: 'health',
    category: 'profile',
    importance: 4,
    confidence: 0.9,
    subjects: SELF,
    predicate: predicate(
      `(?:(?:have|suffer from|am dealing with|was diagnosed with|have been diagnosed with|got diagnosed with|struggle with|am recovering from) (?:an? |type [12] |severe |mild |chronic |my )*(?:${CONDITIONS}|heart condition|disability|condition called|injury|knee injury|back injury|surgery)|was diagnosed|have been diagnosed|got diagnosed)`,
    ),
  },
  {
    name: 'role',
    category: 'profile',
    importance: 3,
    confidence: 0.8,
    subjects: SELF,
    predicate: /^am (?:not |still |also |now |currently )*an? (?:[\w'-]+ ){0,4}?[\w'-]+/,
    unless:
      /^am (?:\w+ )*an? (?:[\w'-]+ ){0,2}(?:bit|little|lot|fan|lover|mess|sucker|wreck|believer|person|loss|disaster|fool|idiot|tad|while|way|bunch|couple|part|hurry|rush|pain|ton|place|point|good (?:mood|place)|firm|big|huge|success|witness|failure|sight|winner|joy|member of (?:it|that))\b|\bam a \w+ing\b|\bthan\b|\btoo\b/,
    needs: 'noun',
  },
  {
    name: 'own-facts',
    category: 'profile',
    importance: 4,
    confidence: 0.85,
    subjects: OWN,
    phrase:
      /^my (?:[\w'-]+ ){0,2}(?:birthday|age|hometown|nationality|job|occupation|profession|degree|major|height|religion|native language|mother tongue|first language|zodiac sign|employer|company|home|apartment|house|flat|room|car|bike|laptop|phone|timezone|time zone|school|university|office|team|role|salary)$/,
    predicate:
      /^(?:is|are|was) (?!(?:so|such|very|really|pretty|quite|the best|great|amazing|awesome|going|getting|always|just|not)\b)/,
    unless: /\b(?:it|that|this)\b/,
    needs: 'noun',
  },
];
