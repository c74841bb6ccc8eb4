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
