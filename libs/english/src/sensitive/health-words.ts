import type { SubjectWords } from './subject-words.js';

const DEPENDENCY =
  '(?:alcohol|drink(?:ing)?|drugs?|pills?|painkillers?|opioids?|cocaine|heroin|nicotine|cigarettes|smoking|gambling|medication|cannabis|weed|porn(?:ography)?|sex)';
const BODY =
  '(?:back|neck|knee|shoulder|chest|stomach|joint|hip|head|tooth|ear|eye|heart|kidney|liver|thyroid|lung|prostate|foot|ankle|wrist|skin|bladder|bowel)';
const OF_WORK =
  '(?:design|process|processes|code|codebase|planning|culture|communication|management|debt|architecture|documentation|build|module|system|database|report|text|draft|spreadsheet)';

export const HEALTH_WORDS: SubjectWords = {
  harmless: [
    '(?:sick|ill)(?: and tired)? of',
    'worried sick',
    'ill[- ](?:advised|conceived|fated|prepared|timed|at ease|will|suited|informed|equipped|defined)',
    'health(?:y)? (?:checks?|endpoints?|probes?|competition|mix|dose|balance|debate|sc?k?epticism|margins?|distance|respect)',
    `health of (?:the |a |this )?(?:\\p{L}+ )?${OF_WORK}`,
    'pain points?|growing pains|(?:a|real|huge|no) pains? (?:to|for|in the (?:neck|ass|butt))|at pains|pains? (?:to|taken)|(?:pain|symptom|allergen)-free',
    'allergic to (?:\\p{L}+ )?(?:buzzwords?|meetings?|bureaucracy|jargon|small talk|drama|micromanagement|paperwork|deadlines?|excuses|criticism|change|hype|nonsense|mondays|clich[eé]s|waste|noise)',
    `addict(?:ed|ion|s)? to(?! (?:\\p{L}+ )?${DEPENDENCY}(?!\\p{L}))`,
    `symptoms? of (?:\\p{L}+ ){0,2}${OF_WORK}`,
    `${OF_WORK} (?:\\p{L}+ ){0,2}surgery|surgery on (?:the |a )?(?:\\p{L}+ )?${OF_WORK}`,
    'blind (?:to|spots?|dates?|tests?|cop(?:y|ies)|faith|trust|alleys?|reviews?|tastings?)|colou?r[- ]?blind friendly',
    '(?:tone[- ])?deaf (?:to|ears)|tone[- ]deaf',
    'analysis paralysis|paraly[sz]ed by (?:choice|options|indecision)',
    '(?:virus|malware) (?:scan\\p{L}*|warnings?|definitions?)',
    'disabl(?:ed|ing) (?:the |a |an |all )?(?:\\p{L}+ )?(?:buttons?|features?|flags?|notifications?|options?|accounts?|tests?|plugins?|extensions?|alerts?|settings?|rules?)',
    'depressed (?:prices|markets?|demand)',
    'bitter pill|taste of (?:\\p{L}+ )?own medicine|retail therapy|injury time|bipolar transistors?|drug ?stores?',
    '(?:stud(?:y|ies|ied|ying)|degree in) (?:medicine|psychiatry|psychology)',
    'works? (?:as|in|at|for|with) (?:an? |the )?(?:\\p{L}+ ){0,2}(?:surgeons?|therapists?|psychologists?|psychiatrists?|hospitals?|doctors?|dentists?|neurologists?|oncologists?|counsell?ors?)',
    'headaches? (?:to|for)',
  ],
  words: [
    // Conditions.
    'depress(?:ion|ed|ive)|anxiety|panic attacks?|burn(?:ed|t)?[- ]?out|insomnia|sleepless(?:ness)?|trauma\\p{L}*|ptsd|ocd|adhd|bipolar|schizo\\p{L}+|psycho(?:sis|tic)|autis\\p{L}+|asperger\\p{L}*|dyslexi\\p{L}+|neurodiver\\p{L}+|dementia|alzheimer\\p{L}*|parkinson\\p{L}*',
    'asthma\\p{L}*|diabet\\p{L}+|cancer|leuka?emia|tumou?rs?|migraines?|epilep\\p{L}+|seizures?|arthritis|eczema|psoriasis|sclerosis|ana?emi[ac]|hepatitis|hiv|covid(?:-?\\d+)?|flu|influenza|pneumonia|fever|infect(?:ions?|ed)|allerg(?:y|ies|ic)|co?eliac|(?:gluten|lactose)[- ]intoleran\\p{L}+|tinnitus|vertigo|concussion|hernia|endometriosis|fibromyalgia|crohn\\p{L}*|colitis|gout|anorexi\\p{L}+|bulimi\\p{L}+|obes\\p{L}+|overweight|underweight|high blood pressure|blood (?:pressure|sugar|test|tests)|cholesterol|hypertension',
    '(?:mental|eating|sleep|mood|personality|anxiety|bipolar|panic) (?:disorders?|illness(?:es)?)|mental health|mentally (?:ill|unwell)|illness(?:es)?|diseases?|sickness|unwell|nause\\p{L}+|vomit\\p{L}*|dizz(?:y|iness)',
    '(?:ill|sick)|sick (?:leave|note|days?)|off sick|symptoms?|diagnos(?:is|es|ed)(?! (?:bugs?|errors?|builds?|failing|problems?|issues?|faults?|the))',
    `(?:chronic(?:ally)? )?(?:${BODY}[- ]?)?(?:pains?|aches?)|headaches?|toothache|stomachache|backache|${BODY} (?:problems?|trouble|injur(?:y|ies)|disease|failure|condition|attacks?|surgery)|chronic(?:ally)? (?:\\p{L}+ )?(?:ill|illness|fatigue|disease|condition)`,
    'injur(?:y|ies|ed)|sprain(?:ed|s)?|fractur\\p{L}+|br(?:oke|oken|eaking) (?:an? |his |her |their |the )?(?:arm|leg|wrist|ankle|foot|hand|ribs?|hip|collarbone|nose|toe|finger)|(?:had|suffered|survived|after) a stroke',
    'disab(?:led|ility|ilities)|wheelchair\\p{L}*|blind|deaf|hard of hearing|hearing aids?|amputat\\p{L}+|prosthe\\p{L}+|paraly[sz]\\p{L}+|crutches|stutter\\p{L}*',
    // Bodies that change.
    'pregnan\\p{L}+|miscarr\\p{L}+|stillb\\p{L}+|infertil\\p{L}+|ivf|menopaus\\p{L}+|period (?:pains?|cramps)|(?:los(?:e|es|ing)|gain(?:s|ing|ed)?) weight|weight (?:loss|gain)',
    // Treatment.
    'surger(?:y|ies)|hospitali[sz]\\p{L}+|(?:in|to|from|at) (?:the )?hospital|medicat\\p{L}+|medicines?|pills|(?:her|his|their|the|new|sleeping) tablets|insulin|anti-?depressants?|antibiotics?|painkillers?|opioids?|inhalers?|vaccin\\p{L}+|chemo\\p{L}*|radiotherapy|dialysis|transplant\\p{L}*|rehab\\p{L}*|physio\\p{L}*',
    'therap(?:y|ies|ists?)|psychiatr\\p{L}+|psychologists?|counsell(?:ing|ors?)|neurologists?|oncolog\\p{L}+|cardiolog\\p{L}+|gyna?ecolog\\p{L}+|dermatologists?|dentists?|root canal|(?:sees?|seeing|saw|visit(?:s|ed)?) (?:an? |the |his |her |their )?doctors?',
    'mental (?:state|exhaustion|breakdown)|mentally exhausted|nervous breakdown|fertility|hormon(?:es?|al)|testosterone|steroids|clinics?|medical (?:tests?|results?|history|leave|condition)',
    // Dependency and harm.
    'cannabis|marijuana|cocaine|heroin|ketamine|nicotine|chain[- ]smok\\p{L}+|(?:quit(?:s|ting)?|stopp(?:ed|ing)) smoking|(?:heavy|ex-?|former) smokers?',
    `addict(?:s|ed|ion|ions)?|alcoholi(?:c|cs|sm)|drinking problem|drinks? too much|hung ?over|sober(?:ed|ing)? up|(?:is|stays?|stayed|being) sober|relaps\\p{L}+|overdos\\p{L}+|self[- ]harm\\p{L}*|suicid\\p{L}+|(?:takes?|taking|abuses?|uses?) drugs`,
  ],
  names: ['AIDS', 'MS', 'IBS', 'PTSD'],
};
