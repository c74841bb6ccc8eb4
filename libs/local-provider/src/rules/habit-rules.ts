import { type ClauseRule, predicate } from './clause-rule.js';

const VAGUE =
  /\b(?:it|that|this|these|those|them|him|her|things?|stuff|something|anything|everything|lot|lots|tons?|bit|kind|sort|what|how|fun|feelings?|idea|ideas|questions?|problems?|issues?|point|chance|time|blast|look|try|break|doubt|hunch|request|favou?r|moment|minute|second|great|good|bad|nice|hard|tough|long|busy|rough|crazy|clue|say|choice|sense|memories|plans?|news|thought|thoughts|goal|dream|day|week|weekend|night|better|best|dreams|my best|care|place|advantage|part|way|advice|opportunity|message|note|story|vibe|energy|soft spot|sweet tooth|passion|hope|faith|love)\b/;

/** How people live: what they have, use, eat and do, in plain words. */
export const HABIT_RULES: readonly ClauseRule[] = [
  {
    name: 'way-of-life',
    category: 'activity',
    importance: 2,
    confidence: 0.7,
    predicate: predicate(
      '(?:(?:smoke|vape|ski|surf|meditate|commute|freelance|tutor|volunteer|babysit|stutter|snore|garden|jog|dance|swim|box|climb|fast)(?: |$)|(?:listen to|follow|visit|coach|mentor|host|lead|manage|deliver|share|foster|sponsor|belong to|suffer from|struggle with|care for|look after|take care of|supervise|chair|edit|moderate|administer|translate|repair|restore|date|practice|play|speak|read|watch|stream|brew|raise|grow|buy|sell|avoid|skip|eat|drink|wear|use|drive|rent|lease|attend|maintain|support|walk|order|breed|weigh|owe|own|put|sing|work|study|train) [^ ]|keep (?:bees|chickens|rabbits|ducks|sheep|a diary)|(?:get|wake) up (?:at|early|late)|go to (?:bed|yoga|pilates|therapy|church|the [a-z]+|school|evening|[a-z]+ (?:class|classes|lessons|practice|training)|[a-z]+ (?:high|school|college|university))|(?:pay for|subscribe to|see an?|take [a-z\\d]|deploy|am (?:on|in|off) (?:an? |the |my )?(?!(?:love|fact|need|charge|trouble|awe|shock|pain|mood|process|middle|end|same|way|fence|edge|front|point|place|good|bad|great|hurry|rush|area|sun|car|bus|train|phone|computer|internet)\\b)[a-z]|am (?:fasting|engaged|dating|a student|enrolled|registered|subscribed|signed up|insured|part of|a member of|a volunteer|an? \\w+ (?:member|owner|holder))) ?)',
    ),
    unless: VAGUE,
    tense: 'present',
  },
  {
    name: 'has-thing',
    category: 'profile',
    importance: 2,
    confidence: 0.7,
    predicate: predicate('(?:have|own) (?:an?|two|three|four|five) [a-z]'),
    unless: VAGUE,
    tense: 'present',
  },
  {
    name: 'gave-up',
    category: 'event',
    type: 'episodic',
    importance: 3,
    confidence: 0.75,
    predicate: predicate(
      '(?:have )?(?:gave up|given up|quit|dropped|ended|deleted|uninstalled|unsubscribed from|resigned from|returned|traded in|replaced|shut down|changed|gave away|cancell?ed|sold|paid off|dropped out of|handed in|broke up with|switched from|switched to|left|lost|found|moved out of|moved from) ',
    ),
    unless:
      /\b(?:it|that|this|them|on (?:him|her|me)|hope|weight|track|count|my (?:mind|way|breath|temper|patience|voice)|the (?:game|match)|early|behind|out)\b/,
    tense: 'past',
  },
];
