import { IS, type SubjectWords } from './subject-words.js';

const PARTY =
  '(?:the )?(?:greens?|tor(?:y|ies)|labour|labor|conservatives?|liberals?|democrats?|republicans?|social democrats?|christian democrats?|socialists?|communists?|far[- ](?:right|left)|left|right|lib dems?|afd|spd|cdu|snp|ukip)';
const ISSUE =
  '(?:immigration|asylum|refugee|pension|tax|climate|abortion|gun|health ?care|welfare|education|minimum wage|housing|war|death penalty|police|border|brexit)';

export const POLITICS_WORDS: SubjectWords = {
  harmless: [
    'office politics|(?:company|team|internal) politics',
    '(?:votes?|voted|voting) for (?:the |a |an )?(?:pizza|pasta|sushi|lunch|dinner|logo|name|design|date|venue|option|film|movie|song|restaurant|mascot|colou?r|feature)s?',
    '(?:birthday|dinner|office|team|garden|launch|farewell|christmas|search|third|hen|house) part(?:y|ies)|party (?:games?|hats?|planning|food|dress|music)|third[- ]part(?:y|ies)',
    'conservative (?:estimates?|with|about|guess\\p{L}*|figures?|forecasts?|defaults?|settings?|approach|dress)',
    'liberal in \\p{L}+ing|(?:vice[- ])?presidents? of (?:the |a )?(?:company|board|club|firm|association|sales|marketing|engineering|product)|vice[- ]presidents?',
    'liberal(?:ly)? (?:with|use|amounts?|doses?|helpings?)|liberal arts',
    'progressive (?:rock|metal|web|house|enhancement|jpegs?|lenses|overload|discounts?)',
    'left(?:[- ](?:hand|click|column|panel|side|margin|over|overs|aligned))|right(?:[- ](?:hand|click|column|panel|side|away|now|aligned))',
    'credit unions?|union (?:types?|find|all|queries|query|jack|square)|student union',
    'elected to \\p{L}+|elected (?:\\p{L}+ )?(?:employee|captain|chair|president of the (?:chess|book|tennis|football|sports) club|team lead|spokes\\p{L}+)',
    'democratic (?:decisions?|process|style|teams?|vote)',
    'campaigns? for (?:a |the )?(?:new )?(?:\\p{L}+ )?(?:brand|product|shoe|launch|customer|client)|(?:marketing|ad|email|sales|advertising|holiday) campaigns?',
    'executive (?:order|government) summaries',
    'protest(?:s|ed)? (?:when|that|if|about) (?:a |an |the )?(?:deadline|meeting|change|estimate|review|price|fee)s?',
    'trump cards?',
  ],
  words: [
    'presidents?|presiden(?:cy|tial)|ministers?|ministr(?:y|ies)|democracy|monarch\\p{L}*|dictator\\p{L}*|regimes?|constitutional|patriot\\p{L}*|welfare state|cancel culture|propaganda',
    "politic(?:s|al|ally|ians?)|elections?|electoral|referend(?:um|ums|a)|ballots?|parliament\\p{L}*|congress(?:man|woman|men|ional)?|senat(?:e|ors?)|governments?|prime ministers?(?:[’']s)?|chancellor|coalition|legislation",
    `vot(?:e|es|ed|ing) (?:for|against) (?:${PARTY}|an? \\p{L}+ (?:party|candidate))|vot(?:e|es|ed|ing) (?:${PARTY}|in (?:the|an?|every|each) (?:\\p{L}+ )?elections?)|vot(?:es|ed|ing|e) on (?:the )?(?:${ISSUE}|independence|reform)|voters?|swing voter`,
    `(?:member|supporter|fan|voter) of (?:the )?(?:\\p{L}+ )?party|party (?:member|membership|conference|congress|line|politics)|(?:labour|green|conservative|liberal|democratic|republican|socialist|communist|left|right|populist)(?:[- ]wing)? party|donat(?:es?|ed|ing) to (?:the |a )?(?:\\p{L}+[- ])?(?:\\p{L}+ )?party`,
    `(?:left|right|far-?right|far-?left)[- ]?(?:wing|leaning)(?:er|ers)?|(?:far|alt)[- ](?:left|right)|lean(?:s|ing|ed)? (?:to the )?(?:left|right)|centrists?|populis[tm]\\p{L}*`,
    `(?:conservative|liberal|progressive|socialist|radical|libertarian|nationalist) (?:views?|values|opinions?|politics|beliefs?|leanings?|circles)|${IS} (?:an? )?(?:\\p{L}+ )?(?:conservative|liberal|progressive|democrat|republican|socialist|communist|marxist|anarchist|libertarian|nationalist|fascist|feminist|royalist|monarchist|populist|tory|centrist)(?! (?:\\p{Ll}+er|with|about|in (?:estimates|spending)))`,
    'social(?:ism|ists?)|communis[mt]s?|marxis[mt]s?|anarchis[mt]s?|fascis[mt]s?|capitalis[mt]s?|nationalis[mt]s?|feminis[mt]s?|libertarian(?:s|ism)?|zionis[mt]s?|environmentalists?|activis[mt]s?|lobby(?:ing|ists?) for',
    `protest(?:s|ed|ing|ers?)? (?:against|for|marche?s?)|(?:joined|joins|attends?|attended|organi[sz]e[sd]?|goes to|went to) (?:an? |the )?(?:\\p{L}+ )?(?:protests?|demonstrations?|rall(?:y|ies)|strikes?)|climate (?:protest\\p{L}*|strikes?)|demonstrat(?:es|ed|ing) against`,
    `(?:trade|labou?r) unions?|unioni[sz]\\p{L}+|union (?:members?|membership|rep\\p{L}*|leader)|(?:joined|joins|member of) (?:the|a|her|his|their) union`,
    `(?:oppos(?:es?|ed|ing)|supports?|supported|for|against|pro|anti)[- ](?:${ISSUE}|abortion)|pro-(?:life|choice)|abortions?|gun (?:control|rights)|${ISSUE} (?:polic(?:y|ies)|reforms?|laws?|politics)|death penalty|brexit|pacifis[mt]s?|campaign(?:s|ed|ing)? (?:for|against) (?:the |a |an |her |his )?(?:\\p{L}+ )?(?:party|candidate|president|mayor|senator|referendum|independence|election|rights|leaving|${ISSUE}|freedom|equality)|on strike|strikers?|picket(?:s|ed|ing)?`,
  ],
  names: [
    'Trump|Biden|Obama|Harris|Putin|Zelensk\\p{L}+|Netanyahu|Macron|Le Pen|Merkel|Scholz|Merz|Sunak|Starmer|Farage|Corbyn|Erdo[gğ]an|Modi|Xi Jinping|Bolsonaro|Lula|Milei|Meloni|Orb[aá]n',
    'Greens|Tor(?:y|ies)|Labour|Republicans?|Democrats|Brexit|MAGA|Antifa|NATO|Hamas',
    '(?:leaving|joining|left) the EU',
  ],
};
