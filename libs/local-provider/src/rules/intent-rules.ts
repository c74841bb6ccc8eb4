import { type ClauseRule, OWN, predicate } from './clause-rule.js';

// Said of the talk itself, not of the speaker's life.
const TALK =
  'say|know|see|hear|ask|tell|admit|agree|thank|mention|add|share|chat|talk|catch|understand|be|try|check|think|wait|run|go|let|keep|remember|believe|give|get|find|hang|do|have (?:that|it)|make sure|point out|note';
const ASKING =
  /\b(?:some |more |any )?(?:help|advice|information|info|suggestions?|recommendations?|tips|poem|summary|explanation|answer|example)s?\b/;
const WEAK_TAIL =
  /\b(?:it|that|this|them|there|soon|more|again|things?|something|everything|forward|up|out|on|better|positive|strong|going)$/;

export const INTENT_RULES: readonly ClauseRule[] = [
  {
    name: 'appointment',
    category: 'tasks',
    importance: 4,
    confidence: 0.85,
    predicate: predicate(
      "(?:have|have got) (?:an?|my|our|the|two|three) (?:[\\w'-]+ ){0,3}?(?:appointment|deadline|meeting|exam|interview|test|flight|presentation|assignment|hearing|checkup|check-up|surgery|due date|class|rehearsal|competition|tournament|recital|conference|shift|show|gig|audition)\\b",
    ),
    needs: 'date',
  },
  {
    name: 'own-appointment',
    category: 'tasks',
    importance: 4,
    confidence: 0.85,
    subjects: OWN,
    phrase:
      /^my (?:[\w'-]+ ){0,2}(?:deadline|appointment|exam|interview|meeting|flight|assignment|presentation|surgery|checkup|lease|visa|passport|contract|rent)$/,
    predicate: /^(?:is|are|ends|starts|expires|got moved|was moved|leaves)\b/,
    needs: 'day',
  },
  {
    name: 'duty',
    category: 'tasks',
    importance: 3,
    confidence: 0.8,
    predicate: predicate(`(?:need to|have to|must|am supposed to|ought to|am due to|promised to) (?!(?:${TALK})\\b)`),
    unless: ASKING,
    needs: 'noun',
  },
  {
    name: 'dated-duty',
    category: 'tasks',
    importance: 4,
    confidence: 0.8,
    predicate: predicate('(?:need to|have to|must|should|am supposed to|need|owe) '),
    unless: ASKING,
    needs: 'date',
  },
  {
    name: 'long-held-wish',
    category: 'goals',
    importance: 3,
    confidence: 0.85,
    predicate: predicate(
      '(?:have always (?:wanted|dreamed|dreamt)|have been (?:wanting|dreaming|planning|hoping)|dream (?:of|about)|aspire to|aim to|intend to|am aiming|am determined to|am saving|am saving up|am aspiring|am working (?:toward|towards))\\b',
    ),
    unless: WEAK_TAIL,
    needs: 'noun',
  },
  {
    name: 'plan',
    category: 'goals',
    importance: 3,
    confidence: 0.8,
    predicate: predicate(
      `(?:plan(?: on| to)?|am planning(?: on| to| an?| my| our| the)?|am hoping to|hope to|want to|would (?:really )?(?:like|love) to|am trying to|am looking to|am looking into|am thinking (?:of|about)|am considering|have decided to|decided to|am preparing (?:for|to)|am applying|am looking for|am interested in (?:becoming|working|studying)) (?!(?:${TALK}|what|how|it|that|this)\\b)`,
    ),
    unless: new RegExp(`${WEAK_TAIL.source}|${ASKING.source}`),
    needs: 'noun',
  },
  {
    name: 'visit',
    category: 'goals',
    importance: 3,
    confidence: 0.8,
    predicate: predicate(
      '(?:want to|would (?:really )?(?:like|love) to|plan to|am planning to|hope to|am hoping to|am going to) (?:go(?: back)? to|go (?:\\w+ing)|be an?|become|get an?|get my|get married|run an?|run my|try (?:\\w+ing|an?)|give back|make an?|find an?|find my|have kids|start an?|start my|open an?|open my|write an?|buy an?|learn|study|move|adopt|apply|launch|publish|travel|visit)\\b',
    ),
    unless: new RegExp(
      `${WEAK_TAIL.source}|${ASKING.source}|be a (?:part|little|bit|good)|get a (?:chance|feel)|learn (?:more|from)|make a (?:difference|lot)`,
    ),
    needs: 'noun',
  },
  {
    name: 'dated-plan',
    category: 'event',
    importance: 3,
    confidence: 0.8,
    predicate: predicate('(?:am (?:going|\\w+ing)|will(?: be)?|have|got|am off) '),
    unless:
      /^have been\b|^(?:am|have) (?:feeling|being|having|thinking|wondering|talking|getting (?:better|there)|doing (?:well|good|great|okay))\b/,
    tense: 'present',
    needs: 'date',
  },
  {
    name: 'outing',
    category: 'event',
    importance: 3,
    confidence: 0.75,
    predicate: predicate(
      'am (?:going to|attending|heading to|flying to|traveling to|travelling to|hosting|throwing|performing at|speaking at|competing in|getting married|moving to|moving in|expecting|going (?:camping|hiking|fishing|skiing|surfing|swimming|climbing|kayaking|snowboarding|sailing|dancing|bowling)|taking (?:a|an|my|our)|planning) ?',
    ),
    unless:
      /^am going to (?:be|have|do|try|keep|make|get|take|go|see|give|let|miss|need|check|start|find|work|look|use|stay|love|bed|sleep)\b/,
    needs: 'noun',
  },
  {
    name: 'anticipation',
    category: 'goals',
    importance: 2,
    confidence: 0.7,
    predicate: predicate(
      '(?:am (?:\\w+ )?(?:looking forward to|excited (?:to|about|for)|nervous about|worried about)|look forward to|can not wait (?:to|for)) ',
    ),
    unless: new RegExp(
      `${WEAK_TAIL.source}|(?:to|about|for) (?:see|hear|know|learn|share|show|catch|what|how|meet (?:them|him|her|it)|meeting (?:them|him|her|it)|the|it|that|this)\\b`,
    ),
    needs: 'detail',
  },
  {
    name: 'own-goal',
    category: 'goals',
    importance: 4,
    confidence: 0.85,
    subjects: OWN,
    phrase:
      /^my (?:[\w'-]+ ){0,3}(?:goal|goals|dream|plan|plans|ambition|aim|resolution|wish|objective)(?: (?:for|this|of) [\w ]+)?$/,
    predicate: /^(?:is|are|has always been) (?=to\b|that\b|an?\b|becoming|\w+ing\b)/,
    unless: WEAK_TAIL,
  },
];
