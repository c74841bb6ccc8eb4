import { type ClauseRule, OWN, SELF, predicate } from './clause-rule.js';

/** Objects that point at something in view or just said, which a memory cannot carry. */
const POINTING =
  /^(?:\w+ ){1,4}?(?:it|that|this|these|those|them|him|her|how|what|when|where|seeing|hearing|the (?:way|idea|look|looks|sound|sounds|thought|pic|pics|photo|photos|picture|pictures|color|colors|colours?|vibe|vibes|energy|feeling|feel|enthusiasm|view|views|design|result|results|detail|details|title|name|part|moment|spirit|message|concept|combination|support|positivity|passion|dedication|attitude|composition|advice|quote|outfit|fact|process|plan|setup|atmosphere|scene|scenery|show|game|painting|book|movie))\b/;

const CAUSE = '(?:because|since|as it|for its?)';

export const TASTE_RULES: readonly ClauseRule[] = [
  {
    name: 'allergy',
    category: 'preferences',
    importance: 4,
    confidence: 0.95,
    predicate: predicate(
      "(?:am (?:\\w+ )?(?:allergic|intolerant|sensitive) to|am (?:lactose|gluten)[- ]intolerant|have (?:an?|many|some|a lot of|severe|bad) (?:[\\w'-]+ ){0,3}(?:allergy|allergies|intolerance)|have (?:[\\w'-]+ ){0,2}allergies)",
    ),
  },
  {
    name: 'strong-taste',
    category: 'preferences',
    importance: 3,
    confidence: 0.85,
    predicate: predicate(
      '(?:love|adore|hate|prefer|can not stand|despise|detest|do not like|do not enjoy|dislike|am (?:not )?an? (?:\\w+ )?(?:fan|lover) of|am fond of|am obsessed with|am crazy about|have loved|have always loved|have always liked|have always enjoyed|am (?:afraid|scared|terrified) of|would rather|have a soft spot for|have a sweet tooth)\\b',
    ),
    unless: POINTING,
    needs: 'noun',
  },
  {
    name: 'taste',
    category: 'preferences',
    importance: 2,
    confidence: 0.8,
    predicate: predicate('(?:like|enjoy|avoid|favou?r|appreciate|find)\\b'),
    unless: new RegExp(
      `${POINTING.source}|^(?:\\w+ )*(?:appreciate|like (?:to (?:think|say|believe|keep)|a|an)|find(?! [\\w' -]+ (?:relaxing|boring|calming|soothing|therapeutic|fun|interesting|difficult|hard|peaceful|inspiring|exhausting|stressful|overwhelming)))\\b`,
    ),
    needs: 'noun',
  },
  {
    name: 'own-favourite',
    category: 'preferences',
    importance: 3,
    confidence: 0.9,
    subjects: OWN,
    phrase: /^my (?:[\w'-]+ ){0,2}(?:fav|fave|favou?rite|go-to|preferred|ideal)\b/,
    predicate:
      /^(?:is|are|was|were|has always been|have always been|has to be|would be) (?!(?:it|that|this|these|those|them|how|when|the one)\b)/,
  },
  {
    name: 'is-favourite',
    category: 'preferences',
    importance: 3,
    confidence: 0.85,
    subjects: OWN,
    phrase: /^(?!my )/,
    predicate:
      /^(?:is|are|was) (?:\w+ )?(?:one of )?my (?:[\w'-]+ ){0,2}(?:fav|fave|favou?rites?|go-to|comfort food)\b/,
  },
  {
    name: 'interest',
    category: 'interests',
    importance: 3,
    confidence: 0.85,
    predicate: predicate(
      "(?:am (?:\\w+ )?(?:into|interested in|passionate about|fascinated by|fascinated with|keen on|hooked on|curious about)|am getting into|have been getting into|have been into|got into|collect|have a passion for|have an interest in|am an? (?:[\\w'-]+ ){0,2}(?:enthusiast|buff|nerd|geek|aficionado))\\b",
    ),
    unless: new RegExp(`${POINTING.source}|got into (?:an?|the|trouble)`),
    needs: 'noun',
  },
  {
    name: 'own-hobby',
    category: 'interests',
    importance: 3,
    confidence: 0.9,
    subjects: OWN,
    phrase: /^my (?:[\w'-]+ ){0,2}(?:hobby|hobbies|passion|passions|interests?|pastime)$/,
    predicate: /^(?:is|are|has always been|include|includes) /,
    unless: /\b(?:it|that|this)\b/,
    needs: 'noun',
  },
  {
    name: 'comfort',
    category: 'preferences',
    importance: 2,
    confidence: 0.7,
    subjects: OWN,
    phrase: /^my (?:comfort food|happy place|guilty pleasure|pet peeve|dream (?:car|home|house|trip|destination|job))$/,
    predicate: new RegExp(`^(?:is|are)(?! (?:it|that|this|so|very)\\b)(?!.*${CAUSE} it\\b)`),
    needs: 'noun',
  },
  {
    name: 'skill',
    category: 'knowledge',
    importance: 3,
    confidence: 0.8,
    subjects: SELF,
    predicate: predicate(
      '(?:know how to|can (?:play|code|cook|swim|drive|draw|paint|sing|sew|knit|ski|surf|dance|bake|program|juggle)|am (?:good|great|skilled|experienced|decent) (?:at|in|with)|have (?:\\w+ ){0,3}experience (?:in|with|as)|am trained|am certified|have learned (?:how )?to|learned (?:how )?to|learnt (?:how )?to|taught myself)\\b',
    ),
    unless:
      /learned to (?:love|accept|appreciate|let|trust|be|embrace|value|see|not)\b|with (?:that|it|this|him|her|them)$/,
  },
];
