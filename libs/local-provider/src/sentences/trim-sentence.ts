const ATTACHMENT = /\[(?:shared |attached )?(?:image|photo|picture|video|file|link|audio|gif|sticker)[^\]]*\]/gi;
const LINK = /\bhttps?:\/\/\S+|\bwww\.\S+/gi;
// Joiners and variation selectors stand apart: inside a class they would read as part of a neighbour.
const EMOJI =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f)+|(?<=^|\s)(?:[:;8=]-?[)(DPpO/|]|<3|xD|\^\^)(?=$|\s|[.!,])/gu;
const ASIDE = /\s*\((?:haha|lol|yay|sorry|finally|btw|phew)[^)]*\)|\*[^*]*\*/gi;
const LIST_MARK = /^(?:[-*•–]|\d{1,2}[.)])\s+/;

const INTERJECTION = [
  'hey(?: there)?|hi(?: there)?|hello|oh|ah|aww?|wow|whoa|woah|yay|yes|yeah|yep|yup|yea|no|nope|nah|ok|okay|sure|right|well|so|and|but|also|plus',
  'haha+|hah|hehe|lol|lmao|omg|hmm+|mm+|ugh|oops|phew|btw|by the way|anyways?|anyhow|actually|honestly|frankly|basically|seriously|literally',
  'to be honest|tbh|in fact|of course|for sure|definitely|absolutely|totally|exactly|indeed|you know(?: what)?|guess what|i mean|like|then|besides',
  'thanks(?: so much| a lot| a bunch)?|thank you(?: so much)?|good (?:morning|evening|afternoon|news)|great|nice|cool|awesome|congrats|sorry|please|fun fact|fyi|as for me|personally|for me|luckily|fortunately|unfortunately|sadly|thankfully|hopefully|no worries|no problem|speaking of which|on that note|same here|me too|no wait|wait|correction|my mistake|my bad|scratch that|i (?:was wrong|misspoke|was mistaken|made a mistake|got that wrong|have to correct myself)|to correct myself|on (?:an?|the) [a-z]+ (?:side|note)|however',
].join('|');
const NAME = String.raw`\p{Lu}[\p{L}'-]+`;
const NAME_IN_ANY_CASE = String.raw`\p{L}[\p{L}'-]+`;
const NOT_A_NAME =
  '(?!(?:Yesterday|Today|Tomorrow|Tonight|Recently|Lately|Currently|Usually|Sometimes|Often|Once|Now|Nowadays|Normally|Generally|Eventually|Since|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)[, ])';
// Case is ignored as a whole and a name's capital is looked at apart: a pattern that ignored it in a part only (`(?i:…)`)
// was seen to miss a plain "By the way," once in a busy run.
const LEAD_MARK = String.raw`\s*[,!:;…—–-]+\s*`;
const LEAD_BEFORE_NAME = new RegExp(String.raw`^(?:${INTERJECTION}) (${NAME_IN_ANY_CASE})${LEAD_MARK}`, 'iu');
const LEAD_WITH_COMMA = new RegExp(String.raw`^(?:${INTERJECTION})${LEAD_MARK}`, 'iu');
const BARE_WORD =
  'hey|hi|hello|oh|wow|whoa|yay|yeah|yep|yup|well|so|and|but|also|plus|haha+|lol|omg|actually|honestly|anyways?|ok|okay|then|btw|by the way|guess what|because';
const BARE_BEFORE_NAME = new RegExp(String.raw`^(?:${BARE_WORD}) (?=(${NAME_IN_ANY_CASE}),)`, 'iu');
const BARE_BEFORE_WORD = new RegExp(
  String.raw`^(?:${BARE_WORD}) (?=(?:i|we|my|just|last|this|yesterday|today|tomorrow|in|on)\b)`,
  'iu',
);
const VOCATIVE_LEAD = new RegExp(
  String.raw`^${NOT_A_NAME}${NAME}[,!] (?=(?:I|We|we|My|my|last|this|yesterday|today|just|Last|This|Yesterday|Just)\b)`,
  'u',
);
const REMINDER =
  /^(?:please )?(?:remember|note|keep in mind|just so you know|so you know|for the record|bear in mind|you should know|let it be known|i (?:should|must|have to|want to) (?:mention|add|say|admit|confess)|i (?:mentioned|told you)|i (?:just |recently |also )?(?:found out|discovered|realized|realised|learned)(?: recently)?|(?:the )?(?:good|great|big|bad|sad|exciting) news is|the thing is|(?:the )?truth is|it turns out|turns out)(?: that)?,? (?=(?:i|we|my)\b)/i;
const TAG_AFTER_COMMA =
  /\s*,\s*(?:\p{Lu}\p{Ll}+|buddy|man|dude|bro|mate|girl|guys|friend|lol|haha+|hehe|right|you know|tho|though|btw|by the way|honestly|to be honest|tbh|i guess|really|actually|for sure|of course|thanks|thank you|so yeah)$/u;
const BARE_TAG = / (?:lol|haha+|hehe|tho|though|btw|by the way|tbh|right now lol)$/i;
const MAX_LEADS = 4;

/** The statement inside a sentence: no attachment captions, links, emoji, greetings, vocatives or final marks. */
export function trimSentence(sentence: string): string {
  const plain = sentence
    .replace(ATTACHMENT, ' ')
    .replace(LINK, ' ')
    .replace(EMOJI, ' ')
    .replace(ASIDE, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(LIST_MARK, '');
  return trimTags(trimLeads(plain).replace(/[\s.!?…,;:~—–-]+$/u, ''));
}

function trimLeads(sentence: string): string {
  let text = sentence;
  for (let i = 0; i < MAX_LEADS; i++) {
    const next = trimBareLead(trimLead(text)).replace(VOCATIVE_LEAD, '').replace(REMINDER, '');
    if (next === text || next.length === 0) return text;
    text = next;
  }
  return text;
}

function trimLead(text: string): string {
  return removeBeforeName(text, LEAD_BEFORE_NAME) ?? text.replace(LEAD_WITH_COMMA, '');
}

function trimBareLead(text: string): string {
  return removeBeforeName(text, BARE_BEFORE_NAME) ?? text.replace(BARE_BEFORE_WORD, '');
}

/** The text without what the pattern matches, if the word it catches is a name: if it begins with a capital. */
function removeBeforeName(text: string, pattern: RegExp): string | undefined {
  const match = pattern.exec(text);
  return match?.[1] !== undefined && /^\p{Lu}/u.test(match[1]) ? text.slice(match[0].length) : undefined;
}

function trimTags(sentence: string): string {
  return sentence
    .replace(TAG_AFTER_COMMA, '')
    .replace(BARE_TAG, '')
    .replace(/[\s,]+$/, '');
}

const PAST_PARTICIPLE = String.raw`(?:been|better|had|gone|done|seen|taken|made|got|\w+ed)\b`;

// Ordered: what is more special stands first. Typing without apostrophes ("im", "dont") is as common as with.
const EXPANSIONS: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u02bc]/g, "'"],
  [/\b(can)(?:'t|not)\b/gi, '$1 not'],
  [/\bcant\b/gi, 'can not'],
  [/\bwon't\b/gi, 'will not'],
  [/\bshan't\b/gi, 'shall not'],
  [/\b(do|does|did|is|are|was|were|have|has|had|would|could|should|must|need)n't\b/gi, '$1 not'],
  [/\b(do|does|did|is|are|was|were|have|has|had|would|could|should)nt\b/gi, '$1 not'],
  [/(?<![\w'])i(?:'m|m)(?![\w'])/gi, 'I am'],
  [/(?<![\w'])i(?:'ve|ve)(?![\w'])/gi, 'I have'],
  [/(?<![\w'])i'll(?![\w'])/gi, 'I will'],
  [
    new RegExp(String.raw`(?<![\w'])(i|we|he|she|they)'d(?= (?:\w+ly |never |always |just )?${PAST_PARTICIPLE})`, 'gi'),
    '$1 had',
  ],
  [/(?<![\w'])(i|we|you|he|she|they)'d(?![\w'])/gi, '$1 would'],
  [/\b(we|you|they)'re\b/gi, '$1 are'],
  [/\b(we|you|they|who)'ve\b/gi, '$1 have'],
  [/\b(we|you|they|he|she|it|that|there)'ll\b/gi, '$1 will'],
  [/\b(it|he|she|that|there|what|who|here)'s (?=been\b|got\b)/gi, '$1 has '],
  [/\b(it|he|she|that|there|what|who|here)'s\b/gi, '$1 is'],
  [/(?<=\w)'s (?=(?:a|an|the|not|been|called|getting|coming|turning|allergic|my)\b)/gi, ' is '],
  [/\b(?:gonna|going 2)\b/gi, 'going to'],
  [/\bwanna\b/gi, 'want to'],
  [/\b(?:have )?gotta\b/gi, 'have to'],
  [/\bhave got to\b/gi, 'have to'],
  [/\bhave got (?=an?\b|my\b|two\b|three\b|some\b)/gi, 'have '],
  [/(?<!\w)(?:'cause\b|'?(?:cause|cuz|cos|coz)(?= (?:i|my|we|it|they|he|she)\b))/gi, 'because'],
  [
    /\b(I|we) do (?=(?:like|love|enjoy|want|have|need|prefer|play|plan|hope|miss|sketch|paint|remember|feel)\b)/gi,
    '$1 ',
  ],
  [/(?<![\w'])i(?![\w'.])/g, 'I'],
];

/** "I'm" → "I am", "don't" → "do not", "gonna" → "going to": every later rule reads one spelling only. */
export function expandContractions(sentence: string): string {
  return EXPANSIONS.reduce((text, [pattern, expansion]) => text.replace(pattern, expansion), sentence);
}
