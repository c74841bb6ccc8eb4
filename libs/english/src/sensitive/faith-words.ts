import { IS, PERSON, type SubjectWords } from './subject-words.js';

export const FAITH_WORDS: SubjectWords = {
  harmless: [
    '(?:ha[sd]|have|having|los(?:t|es?|ing)|keeps?|kept|restor(?:ed|es)|shows?|put(?:s|ting)?|of) (?:\\p{L}+ )?faith (?:in|with)(?! (?:god|the lord|jesus|allah|religion|prayer)\\b)',
    '(?:in )?good faith|bad faith|blind faith|leap of faith',
    'religiously|religious (?:about|wars?|debates?)',
    '(?:style guide|manual|handbook|document|book) (?:\\p{L}+ ){0,3}as (?:the|a|its|their|his|her) bible|bible of (?:the )?(?:project|team|company|trade|industry|product)',
    '(?:developer|product|technology|software|brand|tech) evangelis(?:ts?|m)',
    'mass (?:e-?mails?|mailings?|market|media|production|transit|storage|effect|spectrometr\\p{L}+)',
    "devil[’']s advocate|holy grail|sacred cows?|(?:business|angel) (?:investors?|angels?)|god (?:objects?|classes?|mode)|guru of|mecca (?:of|for)",
    '(?:firm |great |strong |big )?believers? in(?! (?:god|jesus|allah|christ|reincarnation|karma|an? (?:higher|afterlife))\\b)',
    'church (?:organ|tower|bells?|street|architecture|concert)|organ piece',
    'temple (?:run|street|university)|code temple',
    '(?:morning|evening|daily|weekly|nightly|bedtime|team) rituals?',
    'pray(?:s|ed|ing)? (?:that|for) (?:the |a )?(?:builds?|tests?|deploy\\p{L}*|releases?|weather|demo)',
    '(?:converted|converts|converting) (?:\\p{L}+ ){0,4}to(?! (?:islam|christian|judaism|buddhis|catholic|hindu))',
    'karma points?|reddit karma|preach(?:es|ed|ing)? (?:about |the virtues of )?(?:tests?|testing|clean code|tdd|simplicity)',
    'cult (?:films?|movies?|classics?|brands?|following|favou?rites?)',
    'minister of \\p{L}+|prime minister\\p{L}*',
  ],
  words: [
    'religio(?:n|ns|us)|faiths?|spiritual\\p{L}*|atheis\\p{L}+|agnostic\\p{L}*|secular\\p{L}*|theis[tm]\\p{L}*|devout\\p{L}*|pious|godless|believers?|heathen|pagan\\p{L}*|baptis[mt]\\p{L}*|bapti[sz]ed?',
    'theolog\\p{L}+|missionar(?:y|ies)|christen(?:ed|ing)|sinful|sinners?|deit(?:y|ies)|divine|sects?|cults?|blasphem\\p{L}+|heretic\\p{L}*',
    "gods?|jesus|christ|allah|buddha|jehovah\\p{L}*|the lord|holy|sacred|scripture\\p{L}*|gospels?|bibles?|qur[’']?ans?|korans?|torah|talmud|psalms?",
    'church(?:es)?|mosques?|synagogues?|temples?|chapels?|monaster(?:y|ies)|parish\\p{L}*|congregations?|convent|priests?|pastors?|imams?|rabbis?|nuns?|monks?|vicars?|clergy|popes?',
    'pray(?:s|ed|ing|ers?)?|worship(?:s|ped|ping)? (?:god|allah|jesus|the lord|at|in)|(?:place|house)s? of worship|sermons?|hymns?|confession(?:al)?|rosary|communion|sabbath|shabbat|ramadan|eid|yom kippur|passover|hanukkah|diwali|pentecost|hajj|pilgrimages?|fasting for|halal|kosher|hijab\\p{L}*|burkas?|niqabs?|yarmulkes?|kippahs?|crucifix\\p{L}*',
    'muslims?|islam\\p{L}*|jew(?:s|ish)?|judaism|hindus?|hinduism|buddhis[tm]\\p{L}*|sikhs?|sikhism|mormons?|catholic\\p{L}*|protestants?|orthodox christians?|evangelicals?|lutherans?|anglicans?|methodists?|quakers?|scientolog\\p{L}+|taois[tm]|shinto|wicca\\p{L}*|christianity|christians|karma|reincarnat\\p{L}+|afterlife|evangelis\\p{L}+',
    `${IS} (?:an? )?(?:\\p{L}+ )?christian|christian (?:${PERSON}|faith|values|beliefs?|upbringing|school)`,
    'convert(?:s|ed|ing)? to (?:islam|christian\\p{L}*|judaism|buddhis\\p{L}*|catholic\\p{L}*|hindu\\p{L}*)',
  ],
  names: ['Mass', 'Lent'],
};
