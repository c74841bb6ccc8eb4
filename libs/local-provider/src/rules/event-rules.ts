import { type ClauseRule, ADVERBS, OWN, predicate } from './clause-rule.js';

/** Past forms that tell of thoughts, talk and moods instead of something that happened. */
const INWARD =
  'was|were|thought|knew|said|told|asked|meant|guessed|felt|forgot|wanted|needed|liked|loved|hoped|wished|figured|wondered|realized|realised|noticed|heard|agreed|appreciated|understood|believed|supposed|expected|mentioned|missed|did|used|could|would|should|might|enjoyed|hated|remembered|decided|kept|let|seemed|looked|got|had|came across|talked|chatted|shared|gave|stayed|tried|put|cut|hit|set|read|needed|owed|can|saw|showed|sent|dealt|struggled|managed|happened|cried|laughed|smiled|worried|cared|ended|imagined|learned|learnt|spent|faced|thanked|promised|trusted|related|lived|worked|became|admired|failed';
const MILESTONE =
  'got (?:married|engaged|divorced|promoted|hired|fired|laid off|accepted|rejected|published|selected|invited|injured|sick|robbed|approved|certified|licensed|elected|nominated|hurt|into (?:an?|the|my))|was (?:diagnosed|accepted|hired|fired|laid off|promoted|invited|selected|awarded|injured|chosen|nominated|elected|admitted|rejected|offered|approved|featured|hospitalized|robbed|given an?|asked to)|graduated|quit|retired';
const GOT =
  'got (?:an?|another|my|our|some|two|three|new|the|rid of|back from|home from|back into|started (?:on|with)|stuck|lost|to (?:meet|teach|visit|go|perform|play|try|work|attend|travel|present)) ';
const HAPPENING =
  'meeting|interview|surgery|exam|party|accident|appointment|picnic|barbecue|bbq|breakfast|lunch|dinner|wedding|baby|call|date|session|workshop|class|concert|gig|trip|vacation|reunion|ceremony|game|match|race|tournament|competition|audition|presentation|show|exhibit|exhibition|test|scan|check-up|checkup|fight|argument|breakdown|setback|injury|visit|sleepover|gathering|celebration|conversation with|talk with|hike|getaway|retreat|workout|photoshoot|shoot|book signing|screening';

export const EVENT_RULES: readonly ClauseRule[] = [
  {
    name: 'milestone',
    category: 'event',
    type: 'episodic',
    importance: 4,
    confidence: 0.85,
    predicate: predicate(`(?:have (?:\\w+ )?)?(?:${MILESTONE})`),
    unless: /into (?:the|my) (?:habit|mood|spirit|groove|swing|zone)\b/,
    needs: 'noun',
  },
  {
    name: 'got',
    category: 'event',
    type: 'episodic',
    importance: 2,
    confidence: 0.75,
    predicate: predicate(`(?:have (?:\\w+ )?)?${GOT}`),
    unless:
      /got (?:an?|the|some|my) (?:\w+ )?(?:lot|bit|chance|feeling|idea|kick|point|vibe|vibes|stuff|things|act|hopes|head|mind|love|support|news|hang|hint|sense|good|great)\b/,
    needs: 'noun',
  },
  {
    name: 'state-change',
    category: 'event',
    type: 'episodic',
    importance: 4,
    confidence: 0.85,
    predicate: predicate(
      '(?:have (?:\\w+ )?)?(?:got (?:married|engaged|divorced|promoted|hired|fired|laid off|injured)|quit (?:my|the)|moved (?:to|from|in|into|out|back|away)|retired|was (?:hired|fired|laid off|promoted|diagnosed|hospitalized)|broke (?:my|up)|won|came out|gave birth|passed (?:my|the|an?))\\b',
    ),
    unless: /moved (?:by|on|forward|past)\b|\bby it\b/,
  },
  {
    name: 'had-happening',
    category: 'event',
    type: 'episodic',
    importance: 2,
    confidence: 0.75,
    predicate: predicate(
      `(?:have )?had (?:an?|my|our|the|another|some|two|three) (?:[\\w'-]+ ){0,4}?(?:${HAPPENING})\\b`,
    ),
    needs: 'noun',
  },
  {
    name: 'spent-time',
    category: 'event',
    type: 'episodic',
    importance: 2,
    confidence: 0.75,
    predicate: predicate(
      '(?:spent|saw|gave|shared|worked|stayed|read|set|put|tried|became|managed to|learned|faced|struggled with|decided to|sent|lived|ended up) ',
    ),
    unless:
      /(?:gave|shared|tried|read|saw|put|sent) (?:it|how|what|that|this|them|up|in|my best|a try|everything)\b|put (?:my (?:mind|heart|trust|faith|all)|a lot)\b|worked (?:out|well|hard)\b/,
    tense: 'past',
    needs: 'detail',
  },
  {
    name: 'happening',
    category: 'event',
    type: 'episodic',
    importance: 2,
    confidence: 0.75,
    predicate: new RegExp(`^${ADVERBS}(?!(?:${INWARD}|have|am|not|do|will)\\b)\\w+ `),
    unless:
      /^\w+ (?:it|that|this|them|him|her|so|how|what|up with|a lot|something|some (?:progress|changes|fun|time)|feeling|sure|sense|up my mind|my (?:mind|best|time|heart|breath)|focusing|thinking|wishes)\b/,
    tense: 'past',
    needs: 'noun',
  },
  {
    name: 'has-happened',
    category: 'event',
    type: 'episodic',
    importance: 2,
    confidence: 0.75,
    predicate: predicate(
      `have (?:\\w+ly |just |already |now )?(?!(?:${INWARD}|been|had|grown|come a|gone through|never|not|to|seen)\\b)(?:\\w+ed|bought|begun|built|caught|chosen|done|drawn|driven|eaten|found|finished|given|gone|got|gotten|left|lost|made|met|moved|read|run|sold|started|sung|swum|taken|taught|won|written) `,
    ),
    unless: /^have (?:\w+ )?\w+ (?:it|that|this|them|him|her|so|how|what|a lot|many|some time)\b/,
    needs: 'detail',
  },
  {
    name: 'own-happening',
    category: 'event',
    type: 'episodic',
    importance: 2,
    confidence: 0.75,
    subjects: OWN,
    phrase:
      /^my (?:[\w'-]+ ){0,2}(?:car|house|apartment|flat|bike|laptop|phone|computer|landlord|boss|manager|company|team|job|home|flight|trip|wedding|surgery|exam|interview|art|painting|work|screenplay|application|doctor|school|birthday|garden)$/,
    predicate: /^(?!(?:was so|were so|was great|did|said|always)\b)/,
    unless: /^(?:was|were) (?:great|amazing|awesome|good|fun|nice|tough|hard|bad|a blast)\b/,
    tense: 'past',
    needs: 'detail',
  },
];
