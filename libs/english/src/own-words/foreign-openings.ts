/** Words before a request that do not change what is asked for. */
const POLITE =
  "(?:(?:hi|hey|hello|ok(?:ay)?|so|now|and|then|also|please|pls|kindly|just|quickly|briefly|can you|could you|would you|will you|can we|could we|shall we|help me(?: to)?|i need you to|i want you to|i(?:['’]d| would) like you to)[,\\s]+)*";
/** These say what to do with a text, also without naming it: "Proofread: …". */
const TEXT_TASK = '(?:summari[sz]e|translate|proof-?read|paraphrase|re-?write|re-?phrase|re-?word|tl;?dr)';
/** These need an object: "Correct: I live in Porto" confirms something, "Edit: …" adds to an own text. */
const TASK_WITH_OBJECT =
  '(?:(?:edit|correct|improve|polish|shorten|simplify|review|explain|analy[sz]e|critique|classify|comment on|reply to|respond to|answer) (?:this|these|that|the|my|our|his|her|their)|(?:fix|check|correct|improve) (?:the |my |all )?(?:grammar|spelling|typos?|punctuation|style|wording)|(?:give me |write |make )?a (?:short )?summary of|what (?:does|do) (?:this|these|the following)|what do you (?:think|make) of (?:this|the following))';
const TASK = `${POLITE}(?:${TEXT_TASK}|${TASK_WITH_OBJECT})\\b`;
const TEXT_NOUN =
  '(?:texts?|e-?mails?|mails?|messages?|letters?|articles?|paragraphs?|poems?|essays?|posts?|reviews?|documents?|passages?|stor(?:y|ies)|papers?|sentences?|reports?|resumes?|cv|speech|abstract|transcripts?|chats?|conversations?|lyrics|songs?|excerpts?|drafts?|bios?|contract|statement)';

/** "Summarise this: …": what follows the colon is pasted. */
export const TASK_BEFORE_COLON = new RegExp(`^${TASK}[^:]{0,120}:`, 'iu');
/** "Can you rewrite this email?", and the text on the lines below. */
export const TASK_BEFORE_LINES = new RegExp(
  `^${TASK}(?=[^:]{0,120}\\b(?:following|below|(?:this|these|that|the) (?:[\\w-]+ ){0,2}${TEXT_NOUN})\\b|\\s(?:[\\w-]+ ){0,2}${TEXT_NOUN}\\b)`,
  'iu',
);
/** "Translate the text above": what precedes it is pasted. */
export const TASK_AFTER_TEXT = new RegExp(
  `^${TASK}[^:]{0,60}?\\b(?:the above|above (?:${TEXT_NOUN})|${TEXT_NOUN} above)\\b`,
  'iu',
);

const SOURCE_NOUN =
  '(?:e-?mails?|letters?|articles?|documents?|web ?(?:pages?|sites?)|blog posts?|forum posts?|transcripts?|(?:search|tool|query) results?|outputs?|press releases?|newsletters?)';
/** "Email from the vendor: …", "Here is the article: …", and lines that imitate another role. Not "My letter: …". */
export const SOURCE_BEFORE_COLON = new RegExp(
  `^(?:(?:here(?:['’]s| is) )?(?:(?:the|an?|this) )?(?!(?:my|our|i|we)\\b)(?:[\\w-]+ ){0,2}${SOURCE_NOUN}(?: (?:from|by|of|about|to|for|i (?:got|found|received)|that|which) [^:]{0,60})?\\s*:` +
    `|(?:system|assistant|developer|tool|admin(?:istrator)?)(?: (?:message|prompt|note))?\\s*:)`,
  'iu',
);
/** "Bob wrote: …", "The document reads as follows: …". */
export const REPORT_BEFORE_COLON =
  /^(?!(?:i|we|you|it|(?:as|like) i)\b)(?:the [\w-]+(?: [\w-]+)?|my [\w-]+(?: [\w-]+)?|\p{L}[\p{L}'’-]*(?: \p{L}[\p{L}'’-]*)?) (?:just |also |then |once |always )?(?:wrote|writes|said|says|replied|answered|texted|posted|emailed|states?|goes|reads?|told me)(?: (?:me|to me|as follows|this))*\s*:/iu;
/** Lines of a forwarded mail, and those that nothing but a mail has: a journey has "From" and "To" as well. */
export const MAIL_HEADER = /^(?:subject|from|to|cc|date|sent|reply-to)\s*:\s*\S/iu;
export const MAIL_ONLY_HEADER = /^(?:subject|cc|sent|reply-to)\s*:/iu;

const FICTION_NOUN =
  '(?:stor(?:y|ies)|novel|screenplay|script|campaign|role-?\\s?play|fan ?fic(?:tion)?|fairy ?tale|tale|scene|dialogue|monologue|sketch)';
/** From here on, the speaker plays a role, also in the next messages. */
export const ROLE_PLAY = new RegExp(
  `^${POLITE}(?:(?:let['’]?s|let us|i want to|i(?:['’]d| would) like to|start(?: a)?|do(?: a)?|begin(?: a)?|try(?: a)?)[\\s,]+)*` +
    `(?:(?:play (?:an?|the|some) )?(?:role-?\\s?play(?:ing game)?(?=\\s*(?:[:,.!]|(?:with|as|that|an?|where|now|in|about)\\b|$))|text adventure|d&d)|pretend (?:that )?(?:you(?:['’]re| are| were)|to be)\\b(?! not\\b)|act out\\b)`,
  'iu',
);
/** The rest of the message is fiction; "Pretend I'm five and explain mortgages" changes nobody's role. */
export const FICTION = new RegExp(
  `^${POLITE}(?:let['’]?s )?pretend (?:that )?(?:you|i|we|this|it)\\b(?! ?(?:never|(?:did|do|does|have|had|are|were|was|is|can|could)(?: not|n['’]?t))\\b)|` +
    `^${POLITE}(?:let['’]?s )?(?:imagine|suppose|assume)(?: that)? (?:i(?:['’]m| am| was| were)|you(?:['’]re| are)|we(?:['’]re| are))\\b` +
    `|^${POLITE}(?:write|continue|finish|draft|invent|tell)(?: (?:me|us))? (?:an?|the|my|this) (?:[\\w-]+ ){0,2}(?:${FICTION_NOUN}|poem|song)\\b` +
    `|^${POLITE}(?:from now on,? )?you(?:['’]re| are) (?:now )?(?:an?|the|my) (?!best|worst|greatest|nicest|only|first|one)[^.!?\\n]{1,60} and i(?:['’]m| am| will be) (?:an?|the|your)\\b` +
    `|^(?:for|in) (?:an?|my|the|our|this) (?:[\\w-]+ )?${FICTION_NOUN}\\b[^:]{0,80}:` +
    `|^(?:my|the|our) (?:character|hero|heroine|protagonist|narrator)(?:['’]s)?\\b[^:]{0,80}:`,
  'iu',
);
/** One sentence of fiction: "In my story I am a king", "Pretend you didn't hear that". */
export const FICTIONAL_SENTENCE = new RegExp(
  `^${POLITE}(?:let['’]?s )?pretend (?:that )?(?:you|i|we|this|it)\\b|` +
    `^(?:in|for) (?:an?|my|the|our|this) (?:[\\w-]+ )?${FICTION_NOUN}\\b`,
  'iu',
);
/** "End of the role play", "out of character": the speaker's own words again. */
export const END_OF_ROLE_PLAY =
  /\b(?:end|stop|exit|quit|leave|enough|finish|done)\b[^.!?\n]{0,30}\b(?:role-?\s?play(?:ing)?|game|pretending|scene|character)\b|\bout of character\b|\booc\b|\bback to reality\b|\bin real life\b|\birl\b/iu;
