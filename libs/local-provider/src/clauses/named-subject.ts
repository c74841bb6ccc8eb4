/** A person or thing that is named, not the speaker's own: "Ana", "Ana's manager", "the staging server". */
interface NamedSubject {
  readonly phrase: string;
  readonly predicate: string;
}

/** Capitalised words in front of a verb that are no names. */
const NO_NAME =
  '(?!(?:It|That|This|These|Those|He|She|They|We|You|I|There|Here|What|Who|Which|One|Everyone|Everybody|Someone|Somebody|Nobody|Everything|Something|Nothing|Anyone|Life|God|Music|Love|Time|Work|School|Dinner|Lunch|Breakfast|Today|Tomorrow|Yesterday|Tonight|Now|Then|Also|Still|Never|Always|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|My|Our|The|A|An|And|But|So|No|Not|Yes)\\b)';
const NAME = `${NO_NAME}\\p{Lu}[\\p{L}-]+(?: \\p{Lu}[\\p{L}-]+)?`;
/** Verbs with which only a person or an animal goes. */
const PERSON_VERB =
  '(?:lives|drinks|eats|likes|loves|hates|enjoys|uses|wears|teaches|runs|attends|goes to|takes|collects|breeds|keeps|rents|weighs|commutes|sings|practices|swims|paints|was (?:fired|hired|promoted)|gave up|sold|turned|moved|works|worked|left|joined|studies|drives|plays|speaks|smokes|owns|has (?:an?|two|three|no)\\b|is (?:now |no longer |not |still )?(?:allergic|on|in (?:the|a)|a (?:member|student|nurse|doctor|teacher|lawyer|vegan|vegetarian)|afraid|pescatarian|unemployed|working|living|studying|vegan|vegetarian|dating|single|married|engaged|divorced|pregnant|on call|retired|learning|training)|no longer|does not|stopped|quit|started (?:a|an|at|working|as)\\b|got (?:married|engaged|divorced))';
const PERSON = new RegExp(`^(?<phrase>${NAME}) (?=${PERSON_VERB})`, 'u');
const ATTRIBUTE = new RegExp(
  `^(?<phrase>${NAME}'s (?:[\\p{L}-]+ ){0,2}?[\\p{L}-]+) (?=(?:is|are|was|got moved|died)\\b)`,
  'u',
);

/** Things of a team or a plan whose values change; "the movie is three hours long" is kept by nobody. */
const THING =
  '(?:servers?|hosts?|databases?|ports?|branch|deadlines?|versions?|budget|retention|meetings?|stand-?up|office|clinic|pharmacy|canteen|cafeteria|course|lecture|seminar|class|exam|wedding|fees?|rent|code|cleaner|garbage|trash|insurance|contract|owner|lead|manager|sponsor|wiki|repository|repo|backup|build|services?|club|release|launch|date|url|endpoint|domain|room|hotel|flight|train|price|contact|schedule|party|conference|workshop|interview|appointment|chapters?|stack|framework|language|license|kindergarten|school|lessons?|tuition|lesson|training|practice|rehearsal|library|museum|market|store|pharmacy|hospital|parking|garage|landlord|tenant|key|safe|alarm|wifi|router|printer|laptop|monitor|email|channel|sprint|retro|review|demo|ticket|account|subscription|plan|salary|target|quota|limit|threshold|timeout|capacity|address|location|venue|menu|team|project|client|customer|vendor|supplier|provider|editor|director|president|treasurer|chair|secretary|captain|coach|trainer|teacher|doctor|vet|nanny|babysitter|plumber|gym|pool|library|shop|restaurant|bakery)';
const THING_SUBJECT = new RegExp(
  `^(?<phrase>[Tt]he (?:[\\p{L}\\d-]+ ){0,3}?${THING}(?: of the (?:[\\p{L}\\d-]+ ){1,3}?)?)(?<!\\s)\\s?(?=(?:is|are|was|runs|starts|begins|ends|comes|covers|costs|opens|closes|takes place|meets|happens|lasts|got moved|has moved|has been)\\b)`,
  'u',
);

export function readNamedSubject(text: string): NamedSubject | undefined {
  const match = PERSON.exec(text) ?? ATTRIBUTE.exec(text) ?? THING_SUBJECT.exec(text);
  const phrase = match?.groups?.['phrase']?.trim();
  if (!match || phrase === undefined) return undefined;
  return { phrase, predicate: text.slice(match[0].length).trim() };
}
