import { IS, PERSON, type SubjectWords } from './subject-words.js';

const PEOPLES =
  '(?:Afghans?|Africans?|Albanians?|Algerians?|Americans?|Arabs?|Arabic|Argentin(?:e|ian)s?|Armenians?|Asians?|Australians?|Austrians?|Bangladeshis?|Belgians?|Bosnians?|Brazilians?|British|Britons?|Bulgarians?|Cameroonians?|Canadians?|Caribbean|Catalans?|Caucasians?|Chileans?|Chinese|Colombians?|Congolese|Croat(?:ian)?s?|Cubans?|Czechs?|Danes?|Danish|Dutch|Egyptians?|English|Eritreans?|Estonians?|Ethiopians?|Europeans?|Filipin[oa]s?|Finns?|Finnish|French|Georgians?|Germans?|Ghanaians?|Greeks?|Hispanics?|Hungarians?|Indians?|Indonesians?|Iranians?|Iraqis?|Irish|Israelis?|Italians?|Jamaicans?|Japanese|Jordanians?|Kenyans?|Koreans?|Kosovars?|Kurds?|Kurdish|Latin[oax]s?|Latvians?|Lebanese|Libyans?|Lithuanians?|Macedonians?|Malaysians?|Mexicans?|Moroccans?|Nepalese|Nigerians?|Norwegians?|Pakistanis?|Palestinians?|Persians?|Peruvians?|Poles?|Polish|Portuguese|Romanians?|Russians?|Rwandans?|Scots?|Scottish|Senegalese|Serb(?:ian)?s?|Sicilians?|Slovaks?|Slovenes?|Somalis?|Spanish|Spaniards?|Sudanese|Swedes?|Swedish|Swiss|Syrians?|Taiwanese|Tamils?|Thais?|Tunisians?|Turks?|Turkish|Ugandans?|Ukrainians?|Uyghurs?|Venezuelans?|Vietnamese|Welsh|Yemenis?|Zimbabweans?|Sinti|Aboriginal|Inuit|M[aā]ori)';
const PLACE = '(?:the )?\\p{Lu}[\\p{L}-]+';

export const ORIGIN_WORDS: SubjectWords = {
  harmless: [
    'race (?:conditions?|days?|track|car|bikes?|weekend)|(?:the|a|any|next|big|boat|horse|car|running|grand prix|cycling|relay|arms|rat) races?|races? (?:against|through|to|for)|racing',
    'origins? (?:of|for) (?:the |a |an |this |that )?(?:\\p{L}+ )?(?:bugs?|errors?|words?|names?|species|idea|story|problem|file|branch|data|request|sound|crash|leak)|(?:git|remote|cross|same)[- ]origins?|origin stor(?:y|ies)|original(?:ly|s)?',
    '(?:native (?:apps?|code|modules?|support|plants?|builds?|bindings?|performance|components?|resolution))',
    '(?:data|database|schema|server|cloud|code|bird)[- ]?migrations?|migrations? (?:of|to|from) (?:the |a )?(?:\\p{L}+ )?(?:databases?|servers?|data|blog|site|schema|code|project|system|cloud|app|mail)',
    '(?:coffee|tea|ink|humou?r|hat|tie|dress|paint|board|friday|box|list|mode|background|theme|wine|noise|paper|rice|bread|chocolate|space) (?:is )?(?:black|white)',
    'accent (?:colou?rs?|walls?|lamps?|marks?|chairs?)|(?:the|an?) accents? (?:on|of) (?:quality|speed)',
    'roots? (?:cause|canal|user|access|directory|folder|vegetables?|node|beer)|square roots?',
  ],
  words: [
    'ethnic\\p{L}*|racis[mt]\\p{L}*|racial\\p{L}*|mixed[- ]race|biracial|race|skin colou?r|colou?r of (?:his|her|their|the) skin|people of colou?r|(?:wom[ae]n|m[ae]n|person) of colou?r|nationalit(?:y|ies)|citizenship|passport from|ancest(?:ry|ors?|ral)|heritage|descent|bloodline|caste|tribes?|tribal|indigenous|aboriginal|first nations|minorit(?:y|ies)|diaspora|xenophob\\p{L}+|antisemit\\p{L}+|apartheid',
    '(?:im|e)?migrants?|immigrat(?:ed|es|ing|ion)|emigrat(?:ed|es|ing|ion)|refugees?|asylum[- ]seekers?|asylum|foreigners?|expats?|expatriates?|deport\\p{L}+|undocumented|naturali[sz]ed',
    '(?:first|second|third)[- ]generation (?:immigrants?|migrants?|citizens?)|(?:work|residence) permits?|green cards?|cultural background|boat people',
    '(?:foreign|strong|thick|heavy|regional|funny|slight) accent|accents?|mother tongue|native (?:speakers?|language|tongue|country|land|of)|natives|home(?:land| country)',
  ],
  names: [
    `${IS} (?:an? |the |half |part |of |originally |from |proud(?:ly)? |mixed |ethnic(?:ally)? |partly |very |\\p{Ll}+ly ){0,2}${PEOPLES}(?= (?:and|but|or|by|like|as|at heart|who|with|in)\\b|\\s*[.,;:!?)-]|$)`,
    `${PEOPLES} (?:${PERSON}|roots?|heritage|descent|origins?|background|blood|ancestry|passport|citizen\\p{L}*|born|upbringing|grandparents|grandmother|grandfather|immigrants?|minority)`,
    `(?:[Aa]s|[Oo]ther|[Ff]ellow|[Ll]ike|[Bb]eing) (?:an? |the )?${PEOPLES}(?=[ ,.;]|$)(?! (?:coffee|food|tea|cuisine|wine|films?|novels?|series|lessons?|grammar))`,
    'Black(?= (?:and|but|or|wom[ae]n|m[ae]n|person|people|communit|colleagues?|American))|(?:is|are|was|were|being|as a) Black|[Ww]hite (?:wom[ae]n|m[ae]n|person|people|privilege|supremac\\p{L}+)|(?:is|are|was|were) (?:white|brown|black)(?=\\s*[.,;]|$)',
    'Latin[oax]|Hispanic|Caucasian|Romani?(?= (?:minority|people|famil|communit|origin))|Sinti|Gyps(?:y|ies)|Uyghurs?|Kurds|Arabs|Asians|Africans|African[- ]American',
    `(?:[Cc]omes?|[Cc]ame|[Cc]oming|[Hh]ails?|[Hh]ailing|[Oo]riginates?|is|are|was|were|[Oo]riginally|[Mm]oved here|[Ff]led|[Ee]scaped) from ${PLACE}(?! (?:Street|Station|Airport|Office|Hotel|University|team))`,
    `[Gg]rew up (?:\\p{Ll}+ ){0,3}${PEOPLES}|[Hh]alf[- ]${PEOPLES}|[Pp]arents (?:\\p{Ll}+ )?from ${PLACE}|[Rr]oots in ${PLACE}`,
    `(?:[Gg]rew|[Gg]rowing|[Bb]rought|[Rr]aised) (?:up )?in ${PLACE}|[Bb]orn in ${PLACE}|[Bb]orn and (?:bred|raised)|[Ff]amily (?:is|comes|came) from ${PLACE}`,
  ],
};
