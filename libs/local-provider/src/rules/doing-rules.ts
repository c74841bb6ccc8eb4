import { type ClauseRule, ADVERBS, OWN, SELF, predicate } from './clause-rule.js';

const UNDERTAKING =
  'business|blog|channel|podcast|company|startup|shop|store|site|website|app|book|project|garden|novel|screenplay|script|organization|campaign|community|club|band|series|album|song|course|thesis|dissertation|foundation|studio|newsletter|game|collection|video|story|movie|film';
const OFTEN = String.raw`(?:\b(?:every|each) (?:\w+ )?(?:day|morning|evening|night|week|weekend|month|year|summer|winter|spring|fall|monday|tuesday|wednesday|thursday|friday|saturday|sunday|few)|\b(?:daily|weekly|monthly|yearly|annually|regularly)\b|\b(?:once|twice|\w+ times) an? \w+|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days|\bon weekends|\bat weekends|\bin (?:my|our) (?:free|spare) time|\bafter (?:work|school|dinner)|\bbefore (?:work|bed|school)|^(?:usually|often|always|sometimes|typically|normally|regularly|rarely)\b)`;

export const DOING_RULES: readonly ClauseRule[] = [
  {
    name: 'since-long',
    category: 'history',
    importance: 3,
    confidence: 0.85,
    predicate: predicate(
      String.raw`(?:have (?:\w+ly |always |never |not )?(?:been \w+ing|been an?|had|known|worked|lived|played|owned|taught|studied|practiced|been in|been with|been into)\b.*\b(?:for (?:about |over |almost |nearly |around |more than )?(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|many|several|a few|some) (?:\w+ )?(?:year|month|decade|week)s?|since (?:\d|i was|childhood|birth|high school|college|university|school|last|early|january|february|march|april|may|june|july|august|september|october|november|december))\b)`,
    ),
  },
  {
    name: 'undertaking',
    category: 'projects',
    importance: 3,
    confidence: 0.85,
    predicate: predicate(
      '(?:am|have been) (?:\\w+ly |now |still )?(?:working on|building|developing|writing|creating|designing|renovating|restoring|producing|recording|launching|organizing|organising|coding|setting up|remodeling|filming|editing|researching|starting)\\b',
    ),
    unless: /(?:on|up) (?:it|that|this|them|myself|things|something|being|some stuff)\b|writing (?:to|about it)\b/,
    needs: 'noun',
  },
  {
    name: 'started-undertaking',
    category: 'projects',
    type: 'episodic',
    importance: 3,
    confidence: 0.85,
    predicate: predicate(
      `(?:have (?:\\w+ )?)?(?:launched|started|opened|founded|created|built|finished|completed|published|released|wrapped up|began|begun|submitted) (?:working on |writing |building |making |up )?(?:my|our|a|an|another|the) (?:[\\w'-]+ ){0,4}?(?:${UNDERTAKING})\\b`,
    ),
    needs: 'noun',
  },
  {
    name: 'own-undertaking',
    category: 'projects',
    importance: 3,
    confidence: 0.8,
    subjects: OWN,
    phrase: new RegExp(`^my (?:[\\w'-]+ ){0,3}(?:${UNDERTAKING})$`),
    predicate:
      /^(?:is (?:about|called|named|on|an?|going to)|was (?:published|accepted|rejected|selected|featured)|got (?:published|accepted|rejected|selected|featured|approved)|won|launched|opens|opened)\b/,
  },
  {
    name: 'habit',
    category: 'activity',
    importance: 2,
    confidence: 0.8,
    predicate: new RegExp(
      `^(?=.*${OFTEN})${ADVERBS}(?!(?:am|was|will|can|could|would|feel|think|wonder|know|say|tell|have to|need|want|hear|see)\\b)`,
    ),
    tense: 'present',
    needs: 'noun',
  },
  {
    name: 'under-way',
    category: 'activity',
    importance: 2,
    confidence: 0.75,
    predicate: predicate(
      '(?:am|have been) (?:\\w+ly |now |still )?(?:learning|reading|taking|training|practicing|practising|playing|teaching|volunteering|attending|coaching|mentoring|painting|watching|exercising|baking|cooking|growing|running|doing|sculpting|drawing|collecting|experimenting|focusing on|fostering|raising|knitting|hiking|swimming|using|seeing a)\\b',
    ),
    unless:
      /(?:doing|taking) (?:well|what|my (?:fair|part)|good|great|ok|okay|fine|it|that|this|so|better|my best|the same|a lot|some|in|care|be|try|keep|have|make|do|get|see|start|things)\b|learning (?:so much|a lot|to (?:be|accept|love|let|trust|appreciate|enjoy))\b/,
    needs: 'noun',
  },
  {
    name: 'practice',
    category: 'interests',
    importance: 2,
    confidence: 0.75,
    subjects: SELF,
    predicate: predicate(
      '(?:play|practice|practise|do|teach|coach|paint|draw|write|cook|bake|knit|sew|surf|ski|ride|stream|grow|make|build|brew|photograph|foster|breed) (?!(?:a lot|it|that|this|so|my best|sure|not|the (?:same|best|most)|what|sense|some|things|mistakes)\\b)',
    ),
    tense: 'present',
    needs: 'noun',
  },
  {
    name: 'used-to',
    category: 'history',
    importance: 2,
    confidence: 0.85,
    predicate: predicate('used to (?!(?:it|that|this|be (?:like|so|the same)|think|feel)\\b)'),
  },
  {
    name: 'lived-then',
    category: 'history',
    importance: 2,
    confidence: 0.8,
    predicate: predicate('(?:lived|was living|worked|was working|weighed) (?:in|at|as|for|with|\\d)'),
    tense: 'past',
    needs: 'noun',
  },
  {
    name: 'been-there',
    category: 'history',
    importance: 2,
    confidence: 0.8,
    predicate: predicate(
      'have (?:\\w+ )?(?:been to|visited|traveled to|travelled to|lived in|seen|never (?:been|tried|seen|eaten|visited|played|owned|lived|traveled|flown|met|watched|read)) (?!(?:it|that|this|them|a lot|so|anything|something)\\b)',
    ),
    unless: /\b(?:been happier|felt|thought|like this|like that|before)\b/,
    needs: 'noun',
  },
  {
    name: 'was-role',
    category: 'history',
    importance: 2,
    confidence: 0.75,
    subjects: SELF,
    predicate: /^was an? (?:[\w'-]+ ){0,3}?[\w'-]+ (?:at|in|for|on|when|until|before|from)\b/,
    unless:
      /was an? (?:bit|little|lot|mess|wreck|blast|great|good|bad|nice|tough|hard|big|huge|wonderful|total|real|moment|part)\b/,
    needs: 'noun',
  },
  {
    name: 'cannot',
    category: 'constraints',
    importance: 3,
    confidence: 0.85,
    predicate: predicate(
      '(?:can not|can no longer|can only|am not allowed to|am unable to|am not able to|do not|no longer|only) (?:eat|drink|drive|smoke|use|own|travel|afford|work|have(?! to\\b)|attend|wear|take|live|fly|consume|speak)(?: |$)',
    ),
    unless: /\b(?:it|that|this|them|the words|a clue|any (?:idea|doubt|regrets)|a lot|wait|enough of|for granted)\b/,
    needs: 'noun',
  },
  {
    name: 'limits',
    category: 'constraints',
    importance: 3,
    confidence: 0.8,
    predicate: predicate("am on (?:an?|my) (?:[\\w'-]+ ){0,3}(?:diet|budget|visa|medication|leave|schedule|plan)\\b"),
  },
  {
    name: 'own-limits',
    category: 'constraints',
    importance: 3,
    confidence: 0.85,
    subjects: OWN,
    phrase:
      /^my (?:[\w'-]+ ){0,2}(?:budget|diet|doctor|schedule|limit|visa|dietary restrictions?|working hours|shift|curfew)$/,
    predicate: /^(?:is|are|does not|do not|says? (?:i|that)|told me|advised|recommended|starts?|ends?|only|allows?)\b/,
    unless: /^(?:is|are) (?:so|very|really|pretty|great|amazing|crazy|hectic|packed|full|going)\b/,
    needs: 'noun',
  },
];
